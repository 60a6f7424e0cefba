"""`hindsight guide`: the templates as a guide for Neo4j Browser, served to it or written to a file."""

from __future__ import annotations

from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import click

from hindsight_neo4j.cli.command import command
from hindsight_neo4j.cli.files import write_bytes
from hindsight_neo4j.cli.session import Session, shared
from hindsight_neo4j.cli.text import FAINT
from hindsight_neo4j.errors import SettingsError

PORT: Final = 8474
"""Neo4j Browser's own port and a thousand."""

PAGE: Final = "/hindsight.html"


@command(
    "hindsight guide", "hindsight guide -o hindsight.html", summary="A guide for Neo4j Browser."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=PORT,
    show_default=True,
    help="Where to serve it; 0 takes a free one.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write it here instead, for a web server of yours.",
)
@shared(choose_index=False, choose_server=False, as_json=False)
def guide(session: Session, *, port: int, output: Path | None) -> int:
    """Serve the templates as a guide to this machine's Neo4j Browser, until Ctrl-C.

    Browser opens guides only of hosts that its server allows: localhost is one of them.
    """
    from hindsight_neo4j.client import Hindsight

    page = Hindsight.browser_guide().encode()
    if output is not None:
        write_bytes(output, page)
        return 0
    with _serving(page, port) as server:
        click.echo(f":play http://localhost:{server.server_port}{PAGE}")
        session.say(("paste that line into Neo4j Browser; Ctrl-C ends this", FAINT))
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def _serving(page: bytes, port: int) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            """Let Browser's page in, which comes from another port: the guide holds nothing that is not public."""
            self._answer(204, b"")

        def do_GET(self) -> None:
            if self.path == PAGE:
                self._answer(200, page)
            else:
                self._answer(404, b"")

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.send_header("Access-Control-Allow-Private-Network", "true")
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: stdout and stderr are the user's."""

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise SettingsError(
            f"cannot serve at port {port} ({error.strerror})", hint="give another with --port"
        ) from error
