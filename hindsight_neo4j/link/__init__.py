"""Facts of all files of a snapshot to its graph. Pure, deterministic, and no language is named here.

    graph = link(facts, LanguageSet.load())

From the ground up: `project` numbers everything, `modules` finds files for dotted names, `members` follows imports,
`values` are what expressions can be, `infer` answers what one expression is (with `attributes`, `declared`, `results`,
`hierarchy`, `stubs`, `puts` and `fixtures`), `answers` keeps that, `flow` brings in what callers hand over, and `imports`, `inherits`, `calls`, `uses`, `tests` and `nodes` make the graph.
"""

from hindsight_neo4j.link.link import link

__all__ = ["link"]
