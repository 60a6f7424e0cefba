"""`hindsight eval answers`: what is measured without a model, what a judge adds, and that no call is made twice."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from servers.chat_server import Body, drips, says, serving, status

from hindsight_neo4j.errors import BadReply
from hindsight_neo4j.evaluation import CONDITIONS
from hindsight_neo4j.evaluation.code_names import code_names, share_in
from hindsight_neo4j.evaluation.judge import Verdict, judge_facts
from hindsight_neo4j.model.exchange import ModelOptions
from hindsight_neo4j.models.talk import Talk

Cli = Callable[..., Any]
FACTS = ["`check` refuses empty keys.", "Store.put calls check.", "Nothing is written to disk."]
ROWS = [
    {
        "id": str(number),
        "question": question,
        "answer": "check refuses them.",
        "facts": FACTS,
        "gold_functions": ["shop/store.py:check"],
        "scope": scope,
    }
    for number, (question, scope) in enumerate(
        [("who refuses empty keys?", "deep"), ("what does `put` call?", "broad")]
    )
]
ANSWER = "`check` refuses empty keys [shop/store.py:23-26]."


def verdicts(*said: tuple[str, str]) -> str:
    rows = [{"fact": n, "verdict": v, "quote": q} for n, (v, q) in enumerate(said, start=1)]
    return json.dumps({"verdicts": rows})


def reply(body: Body) -> str:
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    if shape == "judgement":
        return verdicts(
            ("supported", "REFUSES empty  keys"), ("absent", ""), ("supported", "made up")
        )
    if shape == "quality":
        return '{"accuracy": 9, "completeness": 4, "relevance": 8, "clarity": 7}'
    return ANSWER


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return file


def outcomes(out: str) -> dict[tuple[str, str], dict[str, float]]:
    return {(o["condition"], o["id"]): o["figures"] for o in json.loads(out)["outcomes"]}


def test_without_a_model_what_would_be_read_is_measured(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    ran = cli("eval", "answers", questions, "--repo", own_shop)
    assert ran.code == 0
    assert "**All questions** (2)" in ran.out
    assert "**scope: deep** (1)" in ran.out
    assert "names in context" in ran.out
    assert "fact recall" not in ran.out
    found = outcomes(cli("eval", "answers", questions, "--repo", own_shop, "--json").out)
    assert {condition for condition, _ in found} == {"bm25", "article", "ours", "full"}
    assert found["ours", "1"]["names in context"] > 0.5
    assert found["full", "0"]["context tokens"] > 0


def test_every_way_to_retrieve_can_be_read_from(cli: Cli, own_shop: Path, questions: Path) -> None:
    names = [name for name, each in CONDITIONS.items() if not each.needs_vectors]
    flags = [word for name in names for word in ("--condition", name)]
    ran = cli("eval", "answers", questions, "--repo", own_shop, "--json", *flags)
    found = outcomes(ran.out)
    assert set(found) == {(name, row["id"]) for name in names for row in ROWS}
    assert all(figures["context tokens"] > 0 for figures in found.values())


def test_vectors_are_asked_for_where_a_condition_needs_them(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    ran = cli("eval", "answers", questions, "--repo", own_shop, "--condition", "dense")
    assert ran.code == 2
    assert "no vectors" in ran.err


def test_no_context_is_above_the_budget(cli: Cli, own_shop: Path, questions: Path) -> None:
    out = cli("eval", "answers", questions, "--repo", own_shop, "--budget", "40", "--json").out
    assert all(each["context tokens"] <= 40 for each in outcomes(out).values())


def test_a_judge_adds_fact_recall_and_must_quote(cli: Cli, own_shop: Path, questions: Path) -> None:
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        more = ("--judge", "judge", "--repeat", "2", "--quality", "--json")
        ran = cli("eval", "answers", questions, *flags, *more)
    found = outcomes(ran.out)
    assert ran.code == 0
    assert {condition for condition, _ in found} == {"limited", "bm25", "ours", "full"}
    ours = found["ours", "0"]
    assert ours["fact recall"] == pytest.approx(1 / 3)
    assert (ours["contradicted"], ours["agreement"], ours["accuracy"]) == (0.0, 1.0, 9.0)
    assert {body["model"] for body in server.bodies} == {"stub", "judge"}
    assert {body["seed"] for body in server.bodies if body["model"] == "judge"} == {0, 1}


def test_the_same_prompt_is_used_for_every_context(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        cli("eval", "answers", questions, *flags, "--condition", "bm25", "--condition", "full")
    systems = {
        re.sub(r"[0-9a-f]{12}", "#", body["messages"][0]["content"])
        for body in server.bodies
        if "response_format" not in body
    }
    assert len(systems) == 1


def test_a_reply_that_is_none_fails_its_question_and_the_run_goes_on(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    def play(body: Body) -> str:
        return "no judgement" if "response_format" in body else ANSWER

    with serving(says(play)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("eval", "answers", questions, *flags, "--condition", "ours", "--json")
    assert ran.code == 0
    assert all(each["failed"] for each in json.loads(ran.out)["outcomes"])


def test_the_judge_sees_what_was_said_without_our_marks(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    def play(body: Body) -> str:
        return reply(body) if "response_format" in body else "Keys are refused. So it is."

    with serving(says(play)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("eval", "answers", questions, *flags, "--condition", "ours", "--json")
    judged = [b["messages"][1]["content"] for b in server.bodies if "response_format" in b]
    assert all("Keys are refused.\nSo it is." in each for each in judged)
    assert "unsupported" not in "".join(judged)
    assert all(
        o["answer"] == "Keys are refused.\nSo it is." for o in json.loads(ran.out)["outcomes"]
    )


def test_an_agent_without_a_reply_fails_its_question(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        name = body.get("response_format", {}).get("json_schema", {}).get("name")
        (says(reply) if name == "plan" else status(401))(handler, body)

    with serving(play) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("eval", "answers", questions, *flags, "--condition", "agent", "--json")
    rows = json.loads(ran.out)["outcomes"]
    assert all("refuses the key" in each["failed"] for each in rows)
    assert all(each["figures"] == {"failed": 1.0} for each in rows)


def test_where_nothing_is_given_no_fact_is_recalled(
    cli: Cli, own_shop: Path, tmp_path: Path
) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text(json.dumps({**ROWS[0], "gold_functions": []}) + "\n")
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url, "--quality")
        ran = cli("eval", "answers", file, *flags, "--condition", "full", "--json")
    (figures,) = outcomes(ran.out).values()
    assert server.bodies == []
    assert (figures["fact recall"], figures["names in answer"], figures["accuracy"]) == (0, 0, 1)


def test_an_answer_may_have_a_length_of_its_own(cli: Cli, own_shop: Path, questions: Path) -> None:
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        cli("eval", "answers", questions, *flags, "--condition", "ours", "--answer-tokens", "50")
    longest = {"response_format" in body: body["max_tokens"] for body in server.bodies}
    assert longest[False] == 50 < longest[True]


def test_the_shares_are_drawn(cli: Cli, own_shop: Path, questions: Path, tmp_path: Path) -> None:
    folder = tmp_path / "charts"
    ran = cli("eval", "answers", questions, "--repo", own_shop, "--charts", folder)
    assert ran.code == 0
    assert [file.name for file in folder.iterdir()] == ["names-in-context.png"]
    assert (folder / "names-in-context.png").read_bytes().startswith(b"\x89PNG")


def test_a_judge_that_is_away_ends_the_run_with_exit_code_5(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    with serving(status(401)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        assert cli("eval", "answers", questions, *flags).code == 5
    assert len(server.bodies) == 1


@pytest.mark.parametrize("flag", ["--trace=steps.jsonl", "--mode=agent"])
def test_a_flag_that_it_could_not_keep_is_refused_and_nothing_is_sent(
    cli: Cli, own_shop: Path, questions: Path, flag: str
) -> None:
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("eval", "answers", questions, *flags, flag)
    assert ran.code == 2
    assert flag.partition("=")[0] in ran.err
    assert server.bodies == []


def test_a_dry_run_sends_nothing_and_says_no_less_than_a_run_takes(
    cli: Cli, own_shop: Path, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_MODEL_PRICE_IN", "1")
    monkeypatch.setenv("HINDSIGHT_MODEL_PRICE_OUT", "2")
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url, "--json")
        command = ("eval", "answers", questions, *flags, "--repeat", "2", "--quality")
        said = json.loads(cli(*command, "--dry-run").out)
        agent = json.loads(cli(*command, "--dry-run", "--condition", "agent").out)["most"]
        assert server.bodies == []
        took = json.loads(cli(*command).out)["usage"]
    assert said["model_url"] == server.url
    assert said["most"]["calls"] == len(ROWS) * 4 * (1 + 2 + 1) >= took["calls"]
    assert said["most"]["prompt_tokens"] >= took["prompt_tokens"]
    assert said["most"]["cost"] >= took["cost"] > 0
    assert agent["calls"] > said["most"]["calls"] / 4
    nothing = cli("eval", "answers", questions, "--repo", own_shop, "--dry-run")
    assert (nothing.code, nothing.out) == (0, "no model is set, so nothing would be sent\n")


def test_a_limit_ends_the_run_before_it_is_passed(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    with serving(says(reply)) as server:
        flags = ("--repo", own_shop, "--model", "stub", "--model-url", server.url)
        ran = cli("eval", "answers", questions, *flags, "--max-tokens", "2000")
    assert ran.code == 5
    assert "2,000 tokens" in ran.err
    assert sum(110 for body in server.bodies if body["model"] == "stub") <= 2_000


def test_a_run_that_is_killed_goes_on_and_no_call_is_repeated(
    own_shop: Path, questions: Path
) -> None:
    answered: list[str] = []
    enough = threading.Event()

    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        if len(answered) == 5:
            enough.set()
            enough_time.wait(30)
        says(reply)(handler, body)
        answered.append(json.dumps(body, sort_keys=True))

    enough_time = threading.Event()
    with serving(play) as server:
        command = [
            sys.executable, "-c", "from hindsight_neo4j.cli import main; main()",
            "eval", "answers", str(questions), "--repo", str(own_shop),
            "--model", "stub", "--model-url", server.url, "--json",
        ]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            assert enough.wait(60)
            os.kill(run.pid, signal.SIGKILL)
        before = list(answered[:5])
        enough_time.set()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        again = len(server.bodies)
        subprocess.run(command, capture_output=True, check=True)
        assert len(server.bodies) == again
    assert len(json.loads(done.stdout)["outcomes"]) == 8
    after = [json.dumps(body, sort_keys=True) for body in server.bodies[6:]]
    assert set(before).isdisjoint(after)
    assert len(after) == len(set(after))


def test_several_questions_are_asked_about_at_once_with_the_same_result(
    cli: Cli, own_shop: Path, questions: Path
) -> None:
    both_there = threading.Barrier(2)

    def play(handler: BaseHTTPRequestHandler, body: Body) -> None:
        if len(server.bodies) <= both_there.parties:
            both_there.wait(20)
        says(reply)(handler, body)

    command = ("eval", "answers", questions, "--repo", own_shop, "--model", "stub", "--json")
    with serving(play) as server:
        together = cli(*command, "--model-url", server.url, "--at-once", "2")
    with serving(says(reply)) as server:
        alone = cli(*command, "--model-url", server.url)
    assert json.loads(together.out)["outcomes"] == json.loads(alone.out)["outcomes"]


def test_ctrl_c_ends_a_run_of_several_at_once(own_shop: Path, questions: Path) -> None:
    with serving(drips) as server:
        command = [
            sys.executable, "-c", "from hindsight_neo4j.cli import main; main()",
            "eval", "answers", str(questions), "--repo", str(own_shop),
            "--model", "stub", "--model-url", server.url, "--at-once", "2",
        ]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            while len(server.bodies) < 2:
                assert run.poll() is None
            os.kill(run.pid, signal.SIGINT)
            assert run.wait(20) == 130


@pytest.mark.parametrize(
    "arguments",
    [["--condition", "magic"], ["--condition", "limited"], ["--condition", "agent"]],
)
def test_a_condition_that_cannot_be_is_refused(
    cli: Cli, own_shop: Path, questions: Path, arguments: list[str]
) -> None:
    assert cli("eval", "answers", questions, "--repo", own_shop, *arguments).code == 2


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"question": "x", "facts": []}', '{"question": 7, "facts": ["a"]}']
)
def test_a_line_that_is_no_question_is_named(
    cli: Cli, own_shop: Path, tmp_path: Path, line: str
) -> None:
    (tmp_path / "bad.jsonl").write_text(json.dumps(ROWS[0]) + "\n" + line + "\n")
    ran = cli("eval", "answers", tmp_path / "bad.jsonl", "--repo", own_shop)
    assert ran.code == 2
    assert "bad.jsonl:2" in ran.err


# The measures


@pytest.mark.parametrize(
    ("fact", "names"),
    [
        ("In generate_response(...), a key is made.", {"generate_response"}),
        ("`LLMClient` uses self.cache_dir.", {"LLMClient", "cache_dir"}),
        ("It is in graphiti_core/llm_client/client.py.", {"graphiti_core/llm_client/client.py"}),
        ("The value is 'strict'.", {"strict"}),
        ("It doesn't name anything, e.g. a thing.", set()),
    ],
)
def test_the_code_names_of_a_fact(fact: str, names: set[str]) -> None:
    assert code_names(fact) == names


def test_names_are_found_as_whole_words_and_facts_without_names_do_not_count() -> None:
    assert share_in(["`put` and `get`", "it is fast"], "def put(self): output()") == 0.5
    assert share_in(["it is fast"], "anything") is None
    assert share_in(["`Store.put`"], "    def put(self):") == 1.0


def judged(said: str, answer: str = "The  cache is\nnever emptied.") -> tuple[Verdict, ...]:
    with serving(says(said)) as server:
        talk = Talk.to(ModelOptions("j", server.url), version="1", count=len)
        return judge_facts(["one", "two"], answer, talk).verdicts


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (("supported", "the cache is never emptied"), Verdict.SUPPORTED),
        (("contradicted", "never emptied."), Verdict.CONTRADICTED),
        (("supported", "the cache is always emptied"), Verdict.ABSENT),
        (("supported", ""), Verdict.ABSENT),
        (("absent", "never emptied"), Verdict.ABSENT),
    ],
)
def test_a_verdict_counts_with_its_quote_only(said: tuple[str, str], first: Verdict) -> None:
    assert judged(verdicts(said)) == (first, Verdict.ABSENT)


def test_verdicts_out_of_order_or_too_many_are_put_right() -> None:
    rows = [
        {"fact": 9, "verdict": "supported", "quote": "cache"},
        {"fact": 2, "verdict": "supported", "quote": "cache"},
    ]
    assert judged(json.dumps({"verdicts": rows})) == (Verdict.ABSENT, Verdict.SUPPORTED)


def test_a_judge_that_gives_no_verdicts_is_refused() -> None:
    with pytest.raises(BadReply):
        judged('{"verdicts": [{"fact": 1, "verdict": "perhaps", "quote": ""}]}')
