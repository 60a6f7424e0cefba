"""Servers as docker/compose.yaml starts them, where a Docker engine has the images."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from servers.elasticsearch_server import Server as ElasticsearchServer
from servers.neo4j_server import Server as Neo4jServer

FILE = Path(__file__).resolve().parents[2] / "docker" / "compose.yaml"
IMAGES = ("neo4j:5.26-community", "docker.elastic.co/elasticsearch/elasticsearch:8.19.8")
MUST = "HINDSIGHT_TEST_DOCKER"
"""Set where a run without Docker would be a failure."""

SETTINGS = {
    "NEO4J_PASSWORD": "letmein-neo4j",
    "ELASTIC_PASSWORD": "letmein-elastic",
    "NEO4J_HEAP": "512m",
    "NEO4J_PAGECACHE": "128m",
    "ES_HEAP": "512m",
    # Any free port.
    "NEO4J_HTTP_PORT": "0",
    "NEO4J_BOLT_PORT": "0",
    "ES_PORT": "0",
}


def has_images() -> bool:
    """Say whether an engine answers that has the images, or has to."""
    if os.environ.get(MUST):
        return True
    if not shutil.which("docker"):
        return False
    done = subprocess.run(["docker", "image", "inspect", *IMAGES], capture_output=True)
    return done.returncode == 0


def command() -> str:
    """Return the compose command that is there: the plug-in of today, or the program of old."""
    done = subprocess.run(["docker", "compose", "version"], capture_output=True)
    return "docker compose" if done.returncode == 0 else "docker-compose"


def neo4j_server(host: str, bolt: int, http: int) -> Neo4jServer:
    """Return the Neo4j that answers at these ports."""
    auth = ("neo4j", SETTINGS["NEO4J_PASSWORD"])
    return Neo4jServer(f"bolt://{host}:{bolt}", auth, f"http://{host}:{http}/browser/")


def elasticsearch_server(host: str, port: int) -> ElasticsearchServer:
    """Return the Elasticsearch that answers at this port."""
    return ElasticsearchServer(f"http://{host}:{port}", ("elastic", SETTINGS["ELASTIC_PASSWORD"]))
