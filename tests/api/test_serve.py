"""`lawspeaker serve`: the service as a process."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

HOUSE = Path(__file__).parents[2]
LAWSPEAKER = "import sys; from replay.cli import main; sys.exit(main())"


def test_serve_tells_its_address_as_one_json_object(tmp_path: Path) -> None:
    """With --json the address stands on stdout once requests are answered there, the port that the system gave included.

    A live stream that is open when the service stops ends with it, and nothing is complained of.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", LAWSPEAKER, "serve", "--port", "0", "--store", str(tmp_path / "s.db"), "--json"],
        cwd=HOUSE, env={**os.environ, "PYTHONPATH": str(HOUSE)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, said
            said += line
        told = json.loads(said)
        assert told["port"] > 0
        with urllib.request.urlopen(f"{told['address']}/openapi.json", timeout=30) as answer:
            assert answer.status == 200
        body = json.dumps({"game": "g", "rules": "dragonlords", "seats": ["orc", "elf"]}).encode()
        request = urllib.request.Request(
            f"{told['address']}/games", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 201
        live = urllib.request.urlopen(f"{told['address']}/games/g/stream", timeout=30)
        assert live.readline() == b"id: 1\n"
    finally:
        process.send_signal(signal.SIGINT)
        rest, log = process.communicate(timeout=30)
    assert live.read().endswith(b"\n\n"), "the stream ends with the service"
    assert rest == ""
    assert "Traceback" not in log
    assert process.returncode == 0
