"""Vectors on a server: a repository whose text is in Elasticsearch is searched by meaning as one in an index folder is."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract.conftest import remove_indexes
from elasticsearch import Elasticsearch
from servers import elasticsearch_server

from hindsight_neo4j import Hindsight

pytestmark = pytest.mark.server

FILES = {
    "session.py": 'def revoke(ticket):\n    """Sign a person out everywhere."""\n    ticket.valid = False\n',
    "picture.py": 'def shrink(image):\n    """Make a smaller copy of an image."""\n    return image / 2\n',
    "test_session.py": "from session import revoke\n\n\ndef test_revoke(ticket):\n    revoke(ticket)\n",
}
QUESTIONS = ("how does a user log off?", "thumbnails", "is there a test of revoke?")


def test_the_server_ranks_as_the_folder_does(
    elasticsearch_server: elasticsearch_server.Server, tmp_path: Path
) -> None:
    remove_indexes(elasticsearch_server)
    root = tmp_path / "repo"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    local = Hindsight.of_repository(root, index=tmp_path / "local")
    remote = Hindsight.of_repository(
        root, index=tmp_path / "remote", text=elasticsearch_server.access
    )
    with local, remote:
        for client in (local, remote):
            client.ingest(dense=True)
        assert remote.vector_model == local.vector_model
        for question in QUESTIONS:
            ours, theirs = (
                [
                    (each.id, each.score)
                    for ranking in (located.files, located.functions)
                    for each in ranking
                ]
                for located in (one.locate(question, dense=True) for one in (local, remote))
            )
            assert ours == theirs
        assert remote.locate(QUESTIONS[0], dense=True).functions[0].id == "session.py:revoke"
        remote.ingest()
        assert remote.vector_model is None
    with Elasticsearch(elasticsearch_server.uri, basic_auth=elasticsearch_server.auth) as client:
        assert len(client.indices.get(index="hindsight-*")) == 1
