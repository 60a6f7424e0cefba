"""All of answering: retrieval with as much of a model as the mode says, then the reader. The offline way stays beneath.

offline    decompose → classify → seed → expand → fuse → fill → pack
assisted   plan by the model ──→  seed → expand → fuse → fill → pack → read
agent      plan by the model ──→  seed → expand → fuse → fill → explore by the model → pack → read
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hindsight_neo4j.answering import agent, plan, reader
from hindsight_neo4j.answering.agent import AgentLimits
from hindsight_neo4j.answering.trace import Trace, Tracer
from hindsight_neo4j.errors import BadReply, ModelError
from hindsight_neo4j.model.answer import Mode
from hindsight_neo4j.model.exchange import Hear, Usage
from hindsight_neo4j.model.question import Asked
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.fill import fill
from hindsight_neo4j.retrieval.fuse import NOTHING_FOUND
from hindsight_neo4j.retrieval.pack import pack
from hindsight_neo4j.retrieval.pipeline import ASK, LOCATE, ask, intent_stage, split_stage
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Sources, Stage

__all__ = ["AgentLimits", "answer", "estimate"]


def answer(
    question: str,
    sources: Sources,
    options: AskOptions,
    talk: Talk,
    *,
    mode: Mode = Mode.ASSISTED,
    limits: AgentLimits | None = None,
    trace: Trace = lambda step: None,
    hear: Hear | None = None,
) -> Asked:
    """Answer `question`. A model that fails leaves the evidence, why it failed, and `failed`.

    `hear` is given the answer while it comes, before it is checked.

    Raises:
        QuestionError: The question is blank.
        StoreError: A store does not answer.
    """
    guide = _Guide(talk, limits or AgentLimits(), Tracer(talk, trace))
    asked = ask(question, sources, options, stages=guide.stages(mode))
    if mode is not Mode.OFFLINE:
        asked = guide.read(asked, hear)
    return replace(asked, notes=tuple(guide.notes), usage=talk.usage)


def estimate(asked: Asked, talk: Talk, mode: Mode, limits: AgentLimits | None = None) -> Usage:
    """Return the most that answering would take, for a question whose evidence is packed. Nothing is sent."""
    question = asked.located.question
    most = talk.most(reader.request_for(question, asked.evidence))
    most += talk.most(plan.request_for(question))
    if mode is Mode.AGENT:
        bounds = limits or AgentLimits()
        step = talk.most(agent.first_request(question))
        written = step.completion_tokens * bounds.steps
        tokens = max(0, bounds.tokens - written)
        most += Usage(bounds.steps, 0, tokens, written, talk.cost(tokens, written))
    return most


@dataclass(slots=True)
class _Guide:
    """The model's part in one question. After a failure that asking again cannot mend, the model is left alone."""

    talk: Talk
    limits: AgentLimits
    tracer: Tracer
    notes: list[str] = field(default_factory=list)
    failure: ModelError | None = None

    def stages(self, mode: Mode) -> tuple[Stage, ...]:
        """Return the stages of retrieval for a mode."""
        if mode is Mode.OFFLINE:
            return ASK
        after_plan = LOCATE[LOCATE.index(intent_stage) + 1 :]
        explored = (self._explore,) if mode is Mode.AGENT else ()
        return (self._plan, *after_plan, *explored, pack)

    def read(self, asked: Asked, hear: Hear | None) -> Asked:
        """Add the answer, or why there is none."""
        if self.failure is not None:
            return self._failed(asked, self.failure)
        if not asked.evidence:
            return replace(asked, answer_reason=NOTHING_FOUND)
        try:
            reading = reader.read(asked.located.question, asked.evidence, self.talk, hear)
        except ModelError as error:
            return self._failed(asked, error)
        self.notes += reading.notes
        self._note("read", f"{len(reading.given)} pieces", reading.answer.text)
        return replace(asked, answer=reading.answer, answer_reason="")

    def _failed(self, asked: Asked, error: ModelError) -> Asked:
        self._note("failed", type(error).__name__, str(error))
        return replace(asked, answer=None, answer_reason=str(error), failed=True)

    def _plan(self, state: RetrievalState) -> RetrievalState:
        try:
            planned = plan.plan(state, self.talk)
        except ModelError as error:
            self._fell_back("planned", error)
            return intent_stage(split_stage(state))
        intent = planned.intent.label.value if planned.intent else ""
        self._note("plan", intent, " | ".join(part.text for part in planned.subquestions))
        return planned

    def _explore(self, state: RetrievalState) -> RetrievalState:
        if self.failure is not None or not state.files:
            return state
        try:
            explored, ended = agent.explore(state, self.talk, self.limits, self.tracer)
        except ModelError as error:
            self._fell_back("explored", error)
            return state
        self.notes.append(f"the agent stopped: {ended}")
        return fill(explored)

    def _fell_back(self, what: str, error: ModelError) -> None:
        self.notes.append(f"{what} without the model: {error.message}")
        if not isinstance(error, BadReply):
            self.failure = error

    def _note(self, action: str, argument: str, said: str) -> None:
        self.tracer.note(action, {"about": argument}, said)
