"""Expand: walk the graph from the seeds, along the edges that the policy names."""

from __future__ import annotations

from dataclasses import replace

from hindsight_neo4j.retrieval.frontier import walk
from hindsight_neo4j.retrieval.state import RetrievalState


def expand(state: RetrievalState) -> RetrievalState:
    """Fill `reached`. A policy without steps, or a question without seeds, reaches nothing."""
    policy = state.policy
    if policy is None or not policy.steps or not state.seeds:
        return state
    sources = state.sources
    found = walk(
        sources.graph,
        sources.catalogue,
        sources.snapshot,
        [seed.id for seed in state.seeds],
        steps=policy.steps,
        max_hops=policy.max_hops,
        with_links=policy.learned,
    )
    return replace(
        state, reached=found.reached, links=found.links, steps=(*state.steps, *found.steps)
    )
