"""docker/compose.yaml and the image of the command line, run as a user runs them. `.ci/docker` makes this possible."""

from __future__ import annotations

import os
import re
import subprocess
import urllib.request
from pathlib import Path

import pytest
from servers import compose, elasticsearch_server, neo4j_server

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(
        not compose.has_images(), reason="no Docker engine with the images of docker/compose.yaml"
    ),
]

ROOT = compose.FILE.parents[1]
SERVICES = ("neo4j", "elasticsearch")


def docker(*arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, check=False, timeout=600
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_both_services_become_healthy_and_listen_on_this_machine_only(
    docker_compose_project_name: str,
    neo4j_server: neo4j_server.Server,
    elasticsearch_server: elasticsearch_server.Server,
) -> None:
    listed = docker(
        "ps", "--filter", f"name={docker_compose_project_name}", "--format", "{{.Ports}}"
    )
    assert set(re.findall(r"([\d.:\[\]]+):\d+->", listed)) == {"127.0.0.1"}
    with urllib.request.urlopen(neo4j_server.browser) as page:
        assert b"<title>" in page.read()


def test_every_setting_of_the_file_is_in_the_example() -> None:
    used = set(re.findall(r"\$\{(\w+)", compose.FILE.read_text()))
    example = (compose.FILE.parent / ".env.example").read_text()
    assert set(re.findall(r"^(\w+)=", example, re.MULTILINE)) == used


def test_the_image_ingests_a_mounted_repository_and_answers(
    docker_compose_project_name: str,
    neo4j_server: neo4j_server.Server,
    elasticsearch_server: elasticsearch_server.Server,
    tmp_path: Path,
) -> None:
    base = os.environ.get("HINDSIGHT_TEST_PYTHON_IMAGE", "standin-python")
    docker(
        "build", "-q", "-t", "hindsight-neo4j", "--build-arg", f"PYTHON={base}",
        "-f", str(ROOT / "docker" / "Dockerfile"), str(ROOT),
    )  # fmt: skip
    assert docker("run", "--rm", "--entrypoint", "id", "hindsight-neo4j", "-u").strip() == "10001"
    (tmp_path / "store.py").write_text(
        "def put(key):\n    return check(key)\n\n\ndef check(key):\n    return key\n"
    )
    tmp_path.chmod(0o755)
    run = [
        "run", "--rm", "--network", f"{docker_compose_project_name}_default",
        "-v", f"{tmp_path}:/repository:ro",
        "-e", "HINDSIGHT_GRAPH=bolt://neo4j:7687", "-e", "HINDSIGHT_TEXT=http://elasticsearch:9200",
        "-e", f"HINDSIGHT_GRAPH_PASSWORD={neo4j_server.auth[1]}",
        "-e", f"HINDSIGHT_TEXT_PASSWORD={elasticsearch_server.auth[1]}", "hindsight-neo4j",
    ]  # fmt: skip
    said = docker(*run, "ingest", "/repository", "--snapshot", "in-docker")
    assert "indexed" in said
    assert "store.py:2  put" in docker(*run, "callers", "check", "--snapshot", "in-docker")
    docker(*run, "forget", "--yes", "--snapshot", "in-docker")
