"""Whether servers answer as the index folder does: every template, BM25 searches, and after re-ingests of changed trees.

    python -m benchmarks.server_equality /path/to/django-5.1.4

Two snapshots lie in the one Neo4j. After each of ten edits of the tree the servers, which write what changed, are held against
an index folder made anew. Servers are started as `server_speed` does. Writes benchmarks/results/server-equality.json.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from contract.template_questions import questions  # noqa: E402
from servers import elasticsearch_server, neo4j_server  # noqa: E402

from benchmarks.server_speed import servers  # noqa: E402
from hindsight_neo4j import Hindsight  # noqa: E402
from hindsight_neo4j.model.template import Row  # noqa: E402
from hindsight_neo4j.retrieval.state import FIELD_WEIGHTS  # noqa: E402
from hindsight_neo4j.stores.elasticsearch import ElasticsearchText  # noqa: E402
from hindsight_neo4j.stores.embedded_text import EmbeddedText  # noqa: E402
from hindsight_neo4j.stores.index_folder import IndexFolder  # noqa: E402

RESULTS: Final = HERE / "results" / "server-equality.json"
SNAPSHOT: Final = "equal"
SEED: Final = 5
ASKED: Final = 5
"""Nodes of each kind that each template is asked about."""

SEARCHES: Final = 100
"""Questions, each searched with all weights of `WEIGHTS`."""

WEIGHTS: Final[tuple[dict[str, float] | None, ...]] = (None, FIELD_WEIGHTS, {"body": 1.0})
SCORE: Final = 1e-5
"""Two scores are equal that differ by less of themselves: engines add in single precision and in different orders."""

EDITS: Final = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path)
    chosen = parser.parse_args()
    with ExitStack() as opened:
        found = compare(chosen.repository, *servers(opened))
    RESULTS.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))


def compare(
    repository: Path, graph: neo4j_server.Server, text: elasticsearch_server.Server
) -> dict[str, Any]:
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(repository, root)

        def there(snapshot: str) -> Hindsight:
            index = Path(folder) / f"there-{snapshot}"
            access = {"graph": graph.access, "text": text.access}
            return Hindsight.of_repository(root, index=index, **access)

        for snapshot in (SNAPSHOT, "beside"):
            with there(snapshot) as remote:
                remote.ingest(snapshot=snapshot)
        found: dict[str, Any] = {"repository": repository.name, "after_edits": []}
        for edit in range(EDITS + 1):
            if edit:
                changed = edited(root, edit, chance)
                with there(SNAPSHOT) as remote:
                    remote.ingest(snapshot=SNAPSHOT)
            with (
                Hindsight.of_repository(root, index=Path(folder) / f"local{edit}") as local,
                Hindsight.open(
                    folder, snapshot=SNAPSHOT, graph=graph.access, text=text.access
                ) as remote,
            ):
                local.ingest(snapshot=SNAPSHOT)
                export = exported(local)
                differences = {
                    "export": export != exported(remote),
                    **searched(local, text, chance),
                }
                if edit in (0, EDITS):
                    differences.update(asked(local, remote, export, chance))
                if edit:
                    found["after_edits"].append({"files": changed, **differences})
                else:
                    found.update(differences)
            shutil.rmtree(Path(folder) / f"local{edit}")
            print(f"{edit} of {EDITS} edits: {differences}", file=sys.stderr, flush=True)
        for snapshot in (SNAPSHOT, "beside"):
            with Hindsight.open(
                folder, snapshot=snapshot, graph=graph.access, text=text.access
            ) as remote:
                remote.forget()
    return found


def edited(root: Path, edit: int, chance: random.Random) -> int:
    """Change some files of a tree as people do, and return how many: delete, rename, move lines, add and drop functions."""
    files = sorted(path for path in root.rglob("*.py") if path.stat().st_size > 500)
    chosen = chance.sample(files, 5)
    chosen[0].unlink()
    chosen[1].rename(chosen[1].with_name(f"renamed{edit}_{chosen[1].name}"))
    for number, path in enumerate(chosen[2:]):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        match number:
            case 0:
                lines.insert(0, "# moved down\n\n")
            case 1:
                lines.append(f"\n\ndef added_{edit}(value):\n    return added_{edit}(value)\n")
            case _:
                del lines[len(lines) // 2 :]
        path.write_text("".join(lines), "utf-8")
    return len(chosen)


def exported(client: Hindsight) -> str:
    out = io.StringIO()
    client.export(out)
    return out.getvalue()


def searched(
    local: Hindsight, server: elasticsearch_server.Server, chance: random.Random
) -> dict[str, int]:
    """Search both engines for the same texts: documentation, names and code of the repository."""
    rows = local.run_template("lookup/nodes_of_kind", kinds=["Function", "Class"], limit=10_000)
    questions = [
        " ".join((str(one["doc"]), str(one["name"]), str(other["signature"])))
        for one, other in zip(
            chance.sample(rows, SEARCHES), chance.sample(rows, SEARCHES), strict=True
        )
    ]
    folder = IndexFolder(local.index).current()
    differences = 0
    with (
        closing(EmbeddedText.open(folder.text)) as near,
        closing(ElasticsearchText(server.access)) as far,
    ):
        for question in questions:
            for weights in WEIGHTS:
                hits = [
                    store.search(question, snapshot=SNAPSHOT, limit=20, weights=weights)
                    for store in (near, far)
                ]
                differences += not alike(*hits)
    return {"searches": len(questions) * len(WEIGHTS), "search_differences": differences}


def alike(near: list[Any], far: list[Any]) -> bool:
    return [hit.chunk for hit in near] == [hit.chunk for hit in far] and all(
        abs(one.score - other.score) <= SCORE * one.score
        for one, other in zip(near, far, strict=True)
    )


def asked(
    local: Hindsight, remote: Hindsight, export: str, chance: random.Random
) -> dict[str, Any]:
    """Run every template about the same nodes on both engines."""
    nodes = sampled(export, chance)
    clients = {client: stored(client) for client in (local, remote)}
    asked_ = 0
    answered: set[str] = set()
    different: Counter[str] = Counter()
    for template in Hindsight.templates():
        asking = (questions(template, nodes, name) for name in clients.values())
        for pair in zip(*asking, strict=True):
            near, far = (
                client.run_template(template.name, **params)
                for client, params in zip(clients, pair, strict=True)
            )
            asked_ += 1
            if near:
                answered.add(template.name)
            different[template.name] += near != far
    return {
        "templates": len(Hindsight.templates()),
        "templates_with_rows": len(answered),
        "questions": asked_,
        "template_differences": dict(+different),
    }


def stored(client: Hindsight) -> str:
    """Return what nodes call their snapshot: on a server that changes with what is shown."""
    text = "MATCH (n:Node) WHERE n.snapshot = $snapshot AND n.id = '.' RETURN n.snapshot AS name"
    (row,) = client.run_cypher(text)
    return str(row["name"])


def sampled(export: str, chance: random.Random) -> list[Row]:
    """Return some nodes of each kind, in mixed order."""
    kinds: dict[str, list[Row]] = {}
    for line in export.splitlines():
        if (node := json.loads(line))["type"] == "node":
            kinds.setdefault(node["kind"], []).append(node)
    nodes = [node for kind in sorted(kinds) for node in chance.sample(kinds[kind], ASKED)]
    chance.shuffle(nodes)
    return nodes


if __name__ == "__main__":
    main()
