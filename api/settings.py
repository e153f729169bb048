"""Settings of the service, read from the environment (`LAWSPEAKER_...`) or given by the command line."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from replay.home import default_store

__all__ = ["Settings"]


class Settings(BaseSettings):
    """What a service needs to know before it starts."""

    model_config = SettingsConfigDict(env_prefix="LAWSPEAKER_", extra="ignore")

    store: Path = Field(
        default_factory=default_store,
        description="The SQLite file or the folder that keeps the games; unless given, where the command line keeps them.",
    )
    organiser: SecretStr | None = Field(
        default=None,
        description="The token that may open games. Without one anybody who reaches the service may.",
    )
    most_body: int = Field(default=1_000_000, gt=0, description="The largest request body, in bytes.")
    most_entries: int = Field(default=1_000, gt=0, le=10_000, description="The most entries in one answer.")
