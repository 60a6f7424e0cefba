"""Retrieval: from a question to ranked places in code and the evidence for them (`pipeline` shows the stages)."""

from hindsight_neo4j.retrieval.pipeline import ASK, LOCATE, ask, locate
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Sources, Stage

__all__ = ["ASK", "LOCATE", "AskOptions", "RetrievalState", "Sources", "Stage", "ask", "locate"]
