"""Answering: a model plans, explores and reads, over the same retrieval that works without one.

prompt.py      prompts of the data room `prompts/`, with what is hostile put between fences
plan.py        intent and sub-questions by the model
tools.py       what the agent may do: search, traverse, retrieve
agent.py       the agent's loop, with its limits and its trace
reader.py      evidence → an answer whose sentences cite their places
citations.py   what an answer cites, checked against what was given
trace.py       the steps of a question, as they are done
answer.py      all of it, with the offline way to fall back on
"""

from hindsight_neo4j.answering.answer import AgentLimits, answer, estimate

__all__ = ["AgentLimits", "answer", "estimate"]
