"""A real Neo4j Community server for tests, from Maven Central: no container, no installer.

    with running(folder) as server:
        neo4j.GraphDatabase.driver(server.uri, auth=server.auth)

It needs `java` (17 or newer) and, the first time, `mvn`, which fetches 135 MB of jars into a cache of the user.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import neo4j
from neo4j.exceptions import DriverError
from servers.cache import cache_folder

POM = Path(__file__).with_name("pom.xml")
START_S = 180
STOP_S = 60
FETCH_S = 600

# The shell ends the server when the test run closes its input, and so too when the test run is killed.
RUN_UNTIL_INPUT_ENDS = '"$@" </dev/null & read _; kill $!; wait $!'


class ServerMissing(Exception):
    """Raised where this machine cannot run the server. The message says what it lacks."""


@dataclass(frozen=True)
class Server:
    """Where a started server answers, and to whom."""

    uri: str
    auth: tuple[str, str]


@contextmanager
def running(home: Path) -> Iterator[Server]:
    """Start a server whose data lies in `home`, and stop it at the end."""
    java = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", f"{_jars()}/*"]
    server = Server(f"bolt://127.0.0.1:{free_port()}", ("neo4j", secrets.token_hex(8)))
    _configure(home, server, java)
    command = [*java, "org.neo4j.server.CommunityEntryPoint"]
    command += [f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    log = home / "output.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["sh", "-c", RUN_UNTIL_INPUT_ENDS, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait(server, log)
        yield server
    finally:
        _stop(process)


def _configure(home: Path, server: Server, java: list[str]) -> None:
    conf = home / "conf"
    conf.mkdir(parents=True)
    lines = [
        f"server.bolt.listen_address={server.uri.removeprefix('bolt://')}",
        "server.http.enabled=false",
        "server.memory.pagecache.size=64m",
        "dbms.usage_report.enabled=false",
    ]
    (conf / "neo4j.conf").write_text("\n".join(lines) + "\n")
    admin = [*java, "org.neo4j.server.startup.Neo4jAdminCommand"]
    subprocess.run(
        [*admin, "dbms", "set-initial-password", server.auth[1]],
        env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(conf)},
        check=True,
        capture_output=True,
        timeout=START_S,
    )


def _wait(server: Server, log: Path) -> None:
    deadline = time.monotonic() + START_S
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        while True:
            try:
                driver.verify_connectivity()
            except DriverError as error:
                if time.monotonic() > deadline:
                    tail = log.read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"Neo4j did not start: {error}\n{tail}") from error
                time.sleep(0.25)
            else:
                return


def _stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _jars() -> Path:
    if not shutil.which("java"):
        raise ServerMissing("no java on the path")
    folder = cache_folder() / f"neo4j-{_version()}"
    if not folder.is_dir():
        if not shutil.which("mvn"):
            raise ServerMissing("no mvn on the path to fetch Neo4j with")
        _fetch(folder)
    return folder


def _version() -> str:
    return POM.read_text().partition("neo4j-harness</artifactId>")[2].split("version>")[1][:-2]


def _fetch(folder: Path) -> None:
    draft = folder.with_name(f"{folder.name}.{os.getpid()}")
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={draft}"]
    done = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(POM), *goal], capture_output=True, text=True, timeout=FETCH_S
    )
    if done.returncode:
        raise ServerMissing(f"mvn cannot fetch Neo4j: {(done.stdout + done.stderr)[-500:]}")
    try:
        draft.rename(folder)
    except OSError:  # another test run was quicker
        shutil.rmtree(draft)


def free_port() -> int:
    """Return a port on which nothing listens just now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
