"""All files' facts to the graph of a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hindsight_neo4j.collector import collector_at_rest
from hindsight_neo4j.languages.confidence import Confidences, measured
from hindsight_neo4j.languages.language import LanguageSet
from hindsight_neo4j.link.calls import Calls
from hindsight_neo4j.link.edges import EdgeTable
from hindsight_neo4j.link.imports import Imports
from hindsight_neo4j.link.infer import Inference
from hindsight_neo4j.link.inherits import add_hierarchy
from hindsight_neo4j.link.nodes import Nodes
from hindsight_neo4j.link.observed import Observed
from hindsight_neo4j.link.project import Project
from hindsight_neo4j.link.tests import add_tests
from hindsight_neo4j.link.uses import Uses
from hindsight_neo4j.model.evidence import Evidence
from hindsight_neo4j.model.facts import FileFacts
from hindsight_neo4j.model.graph import Graph


def link(
    files: Sequence[FileFacts],
    languages: LanguageSet,
    evidence: Iterable[Evidence] = (),
    confidences: Confidences | None = None,
) -> Graph:
    """Return every node and edge of the snapshot that `files` are.

    The result does not depend on the order of `files`. No facts make it fail: what bad source leaves open is counted
    on the node concerned.

    Args:
        files: The facts of all files, each path once.
        languages: The languages that the facts are written in.
        evidence: What runs and compilers know besides.
        confidences: How sure edges are; None for the figures that were measured.
    """
    with collector_at_rest():
        return _link(files, languages, evidence, confidences or measured())


def _link(
    files: Sequence[FileFacts],
    languages: LanguageSet,
    evidence: Iterable[Evidence],
    confidences: Confidences,
) -> Graph:
    project = Project(files, languages)
    by_op = [file.by_op() for file in project.files]
    inference = Inference(project, languages, by_op)
    edges = EdgeTable(confidences)
    add_hierarchy(inference, edges)
    imports, calls, uses = (
        Imports(inference, edges),
        Calls(inference, edges),
        Uses(inference, edges),
    )
    for file, ops in zip(project.files, by_op, strict=True):
        imports.add_file(file)
        calls.add_file(file, ops)
        uses.add_file(file, ops)
    calls.finish()
    uses.finish()
    observed = Observed(inference, edges)
    notes = tuple(map(observed.add, evidence))
    add_tests(inference, edges, observed.tests)
    observed.add_tests()
    nodes = Nodes(inference, languages, calls.unresolved)
    nodes.add_tree(edges)
    graph = Graph(nodes.all(edges), edges.finished(nodes.ids), notes)
    inference.close()
    return graph
