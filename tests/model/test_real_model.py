"""The whole way with a real small model: it plans, steps, answers and judges in the shapes asked for.

Nothing is said of how good it is. `.ci/run` runs them, and so does `pytest -m model`; the model is 0.5 GB and takes a minute or
more on two cores.
"""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
from servers.model_server import CONTEXT_TOKENS

from hindsight_neo4j import Hindsight
from hindsight_neo4j.answering import AgentLimits
from hindsight_neo4j.answering.tools import TOOLS
from hindsight_neo4j.distillation import Gold, export
from hindsight_neo4j.evaluation.judge import judge_facts
from hindsight_neo4j.model.answer import Mode, TraceStep
from hindsight_neo4j.model.exchange import ModelOptions
from hindsight_neo4j.models.chat import EndpointChat
from hindsight_neo4j.models.talk import Talk
from hindsight_neo4j.retrieval.budget import count_tokens

pytestmark = [pytest.mark.model, pytest.mark.slow]

SOURCES = {
    "shop/store.py": '''\
from shop.rules import check


class Store:
    """Keeps values by key."""

    def put(self, key, value):
        """Store one value."""
        check(key)
        self.values = {key: value}
''',
    "shop/rules.py": '''\
def check(key):
    """Refuse keys that are empty."""
    if not key:
        raise KeyError(key)
''',
}
QUESTION = "Which function refuses empty keys?"


@pytest.fixture(scope="module")
def options(model_url: str) -> ModelOptions:
    return ModelOptions(
        "qwen2.5-coder-0.5b",
        model_url,
        timeout_s=600,
        retries=0,
        max_output_tokens=120,
        context_tokens=CONTEXT_TOKENS,
    )


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for name, text in SOURCES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    with Hindsight.of_repository(root) as client:
        client.ingest()
    return root


def test_it_plans_and_answers_from_the_evidence(shop: Path, options: ModelOptions) -> None:
    with Hindsight.open(shop) as client:
        asked = client.ask(QUESTION, model=options, budget=400)
        again = client.ask(QUESTION, model=options, budget=400)
    assert not asked.failed, asked.answer_reason
    assert asked.located.intent.source == "model"
    assert asked.answer is not None
    assert asked.answer.sentences
    assert asked.usage.calls == 2
    assert again.answer == asked.answer
    assert again.usage.calls == 0


def test_our_count_of_tokens_is_not_below_its_own(shop: Path, options: ModelOptions) -> None:
    with Hindsight.open(shop) as client:
        most = client.estimate(QUESTION, model=options, budget=400)
        asked = client.ask(QUESTION, model=options, budget=400)
        spent = client.status().models[options.name]
    assert asked.answer is not None
    assert most.prompt_tokens + 200 >= spent.prompt_tokens  # its chat template adds a few dozen


def test_an_agent_takes_steps_of_the_list(shop: Path, options: ModelOptions) -> None:
    steps: list[TraceStep] = []
    with Hindsight.open(shop) as client:
        asked = client.ask(
            QUESTION,
            model=options,
            mode=Mode.AGENT,
            budget=400,
            agent=AgentLimits(steps=2),
            trace=steps.append,
        )
    assert not asked.failed, asked.answer_reason
    assert {step.action for step in steps} <= {*TOOLS, "finish", "none", "plan", "read"}
    assert any(step.action in TOOLS or step.action == "finish" for step in steps)
    assert json.dumps([step.to_dict() for step in steps])


def test_it_judges_three_facts_in_one_call(options: ModelOptions) -> None:
    facts = ["check refuses empty keys", "check raises KeyError", "the store is written to disk"]
    talk = Talk.to(options, version="1", count=count_tokens)
    judged = judge_facts(facts, "The function check refuses empty keys: it raises KeyError.", talk)
    talk.close()
    assert len(judged.verdicts) == 3
    assert talk.usage.calls <= 2


def test_its_chat_template_takes_a_lesson(shop: Path, options: ModelOptions) -> None:
    gold = Gold(("shop/rules.py",), (), ("shop/rules.py:check",))
    with Hindsight.open(shop) as client:
        lesson, why = client.lesson("Why does `check` raise KeyError?", gold)
    assert lesson is not None, why
    row = lesson.to_dict()
    body = json.dumps({"messages": row["messages"], "tools": row["tools"]}).encode()
    request = urllib.request.Request(
        options.base_url.removesuffix("/v1") + "/apply-template",
        body,
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        text = json.load(answer)["prompt"]
    for part in ("search_entity", "traverse_graph", "raise KeyError(key)", lesson.answer):
        assert part in text
    assert text.count("<tool_call>") >= len(lesson.calls)


def test_it_streams(options: ModelOptions) -> None:
    chat = EndpointChat.of(options)
    pieces = [str(piece.text) for piece in chat.stream("Say hello.")]
    assert len(pieces) > 1
    assert "".join(pieces).strip()


def test_its_own_template_writes_a_training_set_that_datasets_loads(
    shop: Path, tmp_path: Path
) -> None:
    for library in ("gguf", "transformers", "datasets"):
        pytest.importorskip(library, reason="pip install 'hindsight-neo4j[finetune]' gguf")
    from servers.model_tokenizer import write_tokenizer  # noqa: PLC0415  after the skip

    from hindsight_neo4j.distillation.turns import read_turns, tokenizer_of  # noqa: PLC0415

    gold = Gold(("shop/rules.py",), (), ("shop/rules.py:check",))
    questions = ("Why does `check` raise KeyError?", "What breaks when `check` takes two keys?")
    with Hindsight.open(shop) as client:
        lessons = [
            client.lesson(question, gold, repository=f"a/r{number}")[0]
            for number, question in enumerate(questions)
        ]
    export([each for each in lessons if each], tmp_path / "training", count=count_tokens)
    tokenizer = tokenizer_of(str(write_tokenizer(tmp_path / "tokenizer")))
    turns = read_turns(tmp_path / "training", tokenizer, most_tokens=8_192)
    assert sum(turns.lessons.values()) == len(questions)
    for turn in (turn for part in turns.parts.values() for turn in part):
        assert turn["prompt"].endswith("<|im_start|>assistant\n")
        assert turn["completion"].endswith("<|im_end|>")
        assert tokenizer.decode(tokenizer(turn["prompt"]).input_ids) == turn["prompt"]
    assert any("<tool_call>" in turn["completion"] for turn in turns.parts["train"])
    assert 0 < turns.learned < turns.tokens
