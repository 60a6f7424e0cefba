"""Neo4j's own cypher-shell, from Maven Central: `run(server, text)` is what a person sees who pipes a file into it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from servers.neo4j_server import Server
from servers.process import START_S, fetched

POM = Path(__file__).with_name("cypher_shell.xml")


def run(server: Server, text: str) -> str:
    """Run the statements of a text, and return what is printed.

    Raises:
        AssertionError: It refuses one of them.
    """
    jars = fetched(
        "cypher-shell-5.26.12",
        lambda draft: (
            "dependency:copy-dependencies",
            "-f",
            str(POM),
            f"-DoutputDirectory={draft}",
        ),
    )
    user, password = server.auth
    done = subprocess.run(
        ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", "org.neo4j.shell.Main",
         "-a", server.uri, "-u", user, "-p", password, "--format", "plain"],
        input=text, capture_output=True, text=True, timeout=START_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
