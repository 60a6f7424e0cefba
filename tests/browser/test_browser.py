"""Neo4j Browser itself, in a headless Chromium: it connects, takes our style, our saved queries and our guide, and runs what
is pasted.

HINDSIGHT_PICTURES=docs/pictures takes the pictures of docs/neo4j-browser.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.conftest import empty
from playwright.sync_api import Page, expect, sync_playwright
from servers import neo4j_server
from servers.process import lacking

from hindsight_neo4j import Hindsight
from hindsight_neo4j.templates.saved_queries import saved_queries

pytestmark = pytest.mark.server

ROOT = Path(__file__).resolve().parents[2]
STYLE = ROOT / "docker" / "neo4j" / "hindsight.grass"
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip
WAIT_MS = 120_000
PARAMS = (
    ':param snapshot => "flask"',
    ':param id => "src/flask/helpers.py:url_for"',
    ":param min_confidence => 0.5",
    ":param limit => 20",
)
PACK = re.findall(r"```cypher\n(.*?)```", (ROOT / "cypher" / "README.md").read_text(), re.DOTALL)
PICTURE = "MATCH (a:Node)<-[r:INVOKES]-(b:Node) WHERE a.snapshot = $snapshot AND a.id = $id RETURN a, r, b"


@pytest.fixture(scope="module")
def page(
    neo4j_server: neo4j_server.Server, flask: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """Browser, connected to a database that holds flask."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        lacking("no chromium here, so Neo4j Browser was not tried")
    empty(neo4j_server)
    index = tmp_path_factory.mktemp("index")
    with Hindsight.of_repository(flask, index=index, graph=neo4j_server.access) as client:
        client.ingest(snapshot="flask")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=list(QUIET))
        opened = browser.new_page(viewport={"width": 1280, "height": 860})
        opened.set_default_timeout(WAIT_MS)
        opened.goto(f"{neo4j_server.browser}?connectURL={neo4j_server.uri}")
        opened.get_by_test_id("username").fill(neo4j_server.auth[0])
        opened.get_by_test_id("password").fill(neo4j_server.auth[1])
        opened.get_by_test_id("connect").click()
        expect(opened.get_by_text("Connected to Neo4j")).to_be_visible(timeout=WAIT_MS)
        yield opened
        browser.close()


def run(page: Page, text: str) -> None:
    """Paste a text into the editor and run it."""
    page.locator('[data-testid="activeEditor"] .monaco-editor').first.click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)
    page.get_by_test_id("editor-Run").click()


def drop(page: Page, name: str, content: bytes) -> None:
    """Drop a file on the page."""
    data = page.evaluate_handle(
        """([name, content]) => {
            const data = new DataTransfer();
            const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
            data.items.add(new File([bytes], name));
            return data;
        }""",
        [name, b64encode(content).decode()],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event('[data-testid="main"]', event, {"dataTransfer": data})


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("HINDSIGHT_PICTURES"):
        page.wait_for_timeout(3_000)  # until the picture stands still
        page.screenshot(path=Path(folder) / f"{name}.png")


def test_a_template_pasted_with_its_comments_gives_its_rows(page: Page) -> None:
    for line in PARAMS:
        run(page, line)
        expect(page.get_by_text(line).first).to_be_visible(timeout=WAIT_MS)
    run(page, (ROOT / "cypher" / "lookup" / "callers.cypher").read_text())
    frame = page.get_by_test_id("frame").first
    expect(frame.get_by_text("Started streaming 20 records")).to_be_visible(timeout=WAIT_MS)
    picture(page, "template")


def test_the_style_colours_nodes_by_their_kind_and_names_them(page: Page) -> None:
    drop(page, STYLE.name, STYLE.read_bytes())
    expect(page.get_by_text("node.HindsightSnapshot").first).to_be_visible(timeout=WAIT_MS)
    run(page, PICTURE)
    nodes = page.locator("svg g.node")
    expect(nodes.first).to_be_visible(timeout=WAIT_MS)
    assert nodes.count() > 20
    fills = {nodes.nth(at).locator("circle.b-outline").get_attribute("fill") for at in range(5)}
    assert fills == {"#4C8EDA"}
    assert "url_for" in " ".join(nodes.locator("text").all_text_contents())
    picture(page, "callers")


def test_the_saved_queries_are_taken_in(page: Page) -> None:
    drop(page, "hindsight-queries.zip", saved_queries())
    page.get_by_test_id("navigationFavorites").click()
    folder = page.get_by_text("hindsight lookup").first
    expect(folder).to_be_visible(timeout=WAIT_MS)
    folder.click()
    expect(page.get_by_text("Who calls").first).to_be_visible(timeout=WAIT_MS)
    picture(page, "saved-queries")


def test_the_guide_is_played_and_its_queries_run(page: Page) -> None:
    run(page, PARAMS[0])
    serving = [sys.executable, "-c", "from hindsight_neo4j.cli import main; main()", "guide"]
    with subprocess.Popen(
        [*serving, "--port", "0", "-q"], stdout=subprocess.PIPE, text=True
    ) as serve:
        try:
            assert serve.stdout
            run(page, serve.stdout.readline().strip())
            frame = page.get_by_test_id("frame").first
            expect(frame.get_by_text("Ask a repository's graph")).to_be_visible(timeout=WAIT_MS)
            picture(page, "guide")
            frame.locator("pre.runnable").first.click()
            page.get_by_test_id("editor-Run").click()
            answer = page.get_by_test_id("frame").first
            expect(answer.get_by_text("Started streaming 1 records")).to_be_visible(timeout=WAIT_MS)
        finally:
            serve.terminate()


def test_each_block_of_the_pack_runs_when_it_is_pasted(page: Page) -> None:
    run(page, PACK[0])
    for block in PACK[1:]:
        run(page, block)
        frame = page.get_by_test_id("frame").first
        first = " ".join(block.splitlines()[0].split())
        expect(frame.get_by_test_id("frameCommand")).to_contain_text(first, timeout=WAIT_MS)
        statements = block.count(";\n")
        if statements > 1:
            done = frame.get_by_title("Status: success")
            expect(done).to_have_count(statements, timeout=WAIT_MS)
        else:
            done = frame.get_by_test_id("frame-loaded-contents")
            expect(done).to_be_visible(timeout=WAIT_MS)
