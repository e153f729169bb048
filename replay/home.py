"""Where a person's games are kept unless they say otherwise."""

import os
import sys
from pathlib import Path

__all__ = ["data_folder", "default_store"]


def data_folder() -> Path:
    """Return the folder where a person's own data lies on this system."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "lawspeaker"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "lawspeaker"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "lawspeaker"


def default_store() -> Path:
    """Return the path of the store that holds a person's games, the same from every working folder."""
    return data_folder() / "lawspeaker.db"
