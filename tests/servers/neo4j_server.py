"""A real Neo4j Community server for tests, from Maven Central: no container, no installer.

    with running(folder) as server:
        neo4j.GraphDatabase.driver(server.uri, auth=server.auth)

It needs `java` (17 or newer) and, the first time, `mvn`, which fetches 140 MB of jars into a cache of the user. Bolt,
HTTP and Neo4j Browser answer, and it asks for a password. HINDSIGHT_TEST_NEO4J_VERSION takes another version than that of
pom.xml; those of 2025 and later need Java 21.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import neo4j
from neo4j.exceptions import DriverError
from servers.process import START_S, fetched, free_port, need, server

from hindsight_neo4j.model.server import GraphServer

POM = Path(__file__).with_name("pom.xml")


@dataclass(frozen=True)
class Server:
    """Where a started server answers, and to whom.

    `browser` is the address of its web pages. `kill` ends one that was started here, as a power failure does.
    """

    uri: str
    auth: tuple[str, str]
    browser: str = ""
    kill: Callable[[], None] = field(default=lambda: None, compare=False, repr=False)

    @property
    def access(self) -> GraphServer:
        """How our store enters it."""
        return GraphServer(self.uri, *self.auth)


@contextmanager
def running(home: Path, *settings: str, file_bytes: int | None = None) -> Iterator[Server]:
    """Start a server whose data lies in `home`, with more lines for its file of settings, and stop it at the end.

    One that was started there before has the data and the password that it had. With `file_bytes` none of its files can
    grow beyond so many, as on a disk that is full.
    """
    bolt, http = free_port(), free_port()
    _configure(home, bolt, http, settings)
    password = home / "password"
    if not password.exists():
        password.write_text(secrets.token_hex(8))
        admin(home, "dbms", "set-initial-password", password.read_text())
    answer = Server(
        f"bolt://127.0.0.1:{bolt}",
        ("neo4j", password.read_text()),
        f"http://127.0.0.1:{http}/browser/",
    )
    command = [*_java(), _main(), f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    if file_bytes is not None:
        need("prlimit")
        command = ["prlimit", f"--fsize={file_bytes}", *command]
    with server(command, home / "output.log", lambda: is_ready(answer)) as kill:
        yield replace(answer, kill=kill)


def _java() -> list[str]:
    return ["java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", f"{_jars()}/*"]


def _configure(home: Path, bolt: int, http: int, settings: Sequence[str]) -> None:
    conf = home / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    lines = [
        f"server.bolt.listen_address=127.0.0.1:{bolt}",
        f"server.http.listen_address=127.0.0.1:{http}",
        "server.memory.pagecache.size=64m",
        *settings,
        "dbms.usage_report.enabled=false",
    ]
    (conf / "neo4j.conf").write_text("\n".join(lines) + "\n")


def admin(home: Path, *arguments: str, folder: Path | None = None) -> None:
    """Run `neo4j-admin` on a server that is stopped, in `folder`."""
    done = subprocess.run(
        [*_java(), "org.neo4j.server.startup.Neo4jAdminCommand", *arguments],
        env={
            **os.environ,
            "NEO4J_HOME": str(home),
            "NEO4J_CONF": str(home / "conf"),
            # As the settings file of a Neo4j that was installed has it.
            "JDK_JAVA_OPTIONS": "--add-opens=java.base/java.nio=ALL-UNNAMED",
        },
        check=False,
        capture_output=True,
        text=True,
        timeout=START_S,
        cwd=folder,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]


def is_ready(answer: Server) -> bool:
    """Say whether it takes requests, and shows its pages: they come some moments later."""
    with neo4j.GraphDatabase.driver(answer.uri, auth=answer.auth) as driver:
        try:
            driver.verify_connectivity()
            with urllib.request.urlopen(answer.browser, timeout=5):
                return True
        except (DriverError, OSError):
            return False


def _main() -> str:
    """Return the class that is the server, which a version of 2025 or 2026 has renamed."""
    is_calendar = _version().startswith("20")
    return f"org.neo4j.server.{'Neo4jCommunity' if is_calendar else 'CommunityEntryPoint'}"


def _jars() -> Path:
    return fetched(
        f"neo4j-{_version()}-browser-{_pinned('browser.version')}",
        lambda draft: (
            "dependency:copy-dependencies",
            "-f",
            str(POM),
            f"-Dneo4j.version={_version()}",
            f"-DoutputDirectory={draft}",
        ),
    )


def _version() -> str:
    return os.environ.get("HINDSIGHT_TEST_NEO4J_VERSION") or _pinned("neo4j.version")


def _pinned(name: str) -> str:
    return POM.read_text().partition(f"<{name}>")[2].partition("<")[0]
