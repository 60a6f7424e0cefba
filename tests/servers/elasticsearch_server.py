"""A real Elasticsearch for tests, from Maven Central: the engine with few modules, no container, no installer.

    with running() as server:
        elasticsearch.Elasticsearch(server.uri, basic_auth=server.auth)

It needs `java` (17 or newer) and, the first time, `mvn`, which fetches 98 MB into a cache of the user. It lacks most
analysis modules, `GET /` and API keys: nothing that fails here has to fail on a whole Elasticsearch.
HINDSIGHT_TEST_ELASTICSEARCH_VERSION takes another version; 9 needs Java 21.
"""

from __future__ import annotations

import json
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from servers.process import fetched, free_port, need, server

from hindsight_neo4j.model.server import TextServer

VERSION = os.environ.get("HINDSIGHT_TEST_ELASTICSEARCH_VERSION") or "8.19.8"
ARTIFACT = "org.elasticsearch.distribution.integ-test-zip:elasticsearch"
NOBODY = "nobody"
"""Who runs it where the tests are run by root, for whom it does not start."""


@dataclass(frozen=True)
class Server:
    """Where a started server answers, and to whom. `kill` ends one that was started here, as a power failure does."""

    uri: str
    auth: tuple[str, str]
    kill: Callable[[], None] = field(default=lambda: None, compare=False, repr=False)

    @property
    def access(self) -> TextServer:
        """How our store enters it."""
        return TextServer(self.uri, *self.auth)


@contextmanager
def running(home: Path | None = None) -> Iterator[Server]:
    """Start a server, and stop it at the end.

    What lies in `home`, a folder that its user can reach, stays: one that is started there again has the data and the
    password that it had. Without one it has a folder of its own, and leaves nothing.
    """
    if home is None:
        with own_folder() as folder, running(folder) as started:
            yield started
        return
    here = home / f"elasticsearch-{VERSION}"
    password = home / "password"
    environment = {
        "ES_JAVA_HOME": _java_home(),
        "ES_JAVA_OPTS": "-Xms512m -Xmx512m",
        "HOME": str(home),
    }
    if not password.exists():
        password.write_text(secrets.token_hex(8))
        _install(home, here, password.read_text(), environment)
    port = free_port()
    answer = Server(f"http://127.0.0.1:{port}", ("elastic", password.read_text()))
    settings = {
        "discovery.type": "single-node",
        "http.port": str(port),
        "transport.port": str(free_port()),
        "xpack.security.enabled": "true",
        "xpack.security.http.ssl.enabled": "false",
        "xpack.security.transport.ssl.enabled": "false",
        # The disk of a test machine may be as good as full, and that is not what is tested.
        "cluster.routing.allocation.disk.threshold_enabled": "false",
    }
    command = [str(here / "bin" / "elasticsearch")]
    command += [f"-E{name}={value}" for name, value in settings.items()]
    log = home / "output.log"
    with server(
        command, log, lambda: is_ready(answer), environment=environment, user=_user()
    ) as kill:
        yield replace(answer, kill=kill)


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder that everybody can reach, and remove it at the end."""
    home = Path(tempfile.mkdtemp(prefix="hindsight-elasticsearch-"))
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _install(home: Path, here: Path, password: str, environment: dict[str, str]) -> None:
    """Unpack it, and give it its first password."""
    with zipfile.ZipFile(_archive()) as files:
        files.extractall(home)
    for program in (here / "bin").iterdir():
        program.chmod(0o755)
    if user := _user():
        owner = pwd.getpwnam(user)
        for path in (home, *home.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    keystore = str(here / "bin" / "elasticsearch-keystore")
    for arguments in (["create"], ["add", "-x", "-f", "bootstrap.password"]):
        subprocess.run(
            [keystore, *arguments],
            input=password.encode(),
            env={**os.environ, **environment},
            user=user,
            check=True,
            capture_output=True,
        )


def _user() -> str | None:
    """Return who runs it: somebody who is not root; None where that is who we are."""
    return NOBODY if os.getuid() == 0 else None


def _java_home() -> str:
    need("java")
    return str(Path(shutil.which("java") or "").resolve().parents[1])


def is_ready(answer: Server) -> bool:
    """Say whether it takes requests."""
    request = urllib.request.Request(f"{answer.uri}/_cluster/health")
    request.add_header(
        "Authorization", f"Basic {b64encode(':'.join(answer.auth).encode()).decode()}"
    )
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return json.load(response)["status"] in ("green", "yellow")
    except (OSError, ValueError):
        return False


def _archive() -> Path:
    folder = fetched(
        f"elasticsearch-{VERSION}",
        lambda draft: (
            "dependency:copy",
            f"-DoutputDirectory={draft}",
            f"-Dartifact={ARTIFACT}:{VERSION}:zip",
        ),
    )
    return folder / f"elasticsearch-{VERSION}.zip"
