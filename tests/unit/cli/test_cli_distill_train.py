"""Fine-tuning: what a student is shown and what it learns of a training set, and that an adapter is really trained.

The student is a Qwen2 of two small layers with random values and a tokenizer made of the lessons: it learns nothing worth
having, by the same way as a large one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hindsight_neo4j.distillation import Lesson, export
from hindsight_neo4j.distillation.lesson import Call
from hindsight_neo4j.errors import SettingsError

EXTRA = "training needs the extra: pip install 'hindsight-neo4j[finetune]'"
transformers = pytest.importorskip("transformers", reason=EXTRA)
pytest.importorskip("datasets", reason=EXTRA)
from hindsight_neo4j.distillation.turns import read_turns, tokenizer_of  # noqa: E402  after the skip

Cli = Callable[..., Any]

# In the manner of Qwen2.5: arguments as an object, results of tools in the user's turn.
TEMPLATE = """\
{%- for tool in tools or [] %}<tool>{{ tool | tojson }}</tool>
{% endfor %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% for call in message.tool_calls or [] %}<call>{{ call.function.name }} {{ call.function.arguments | tojson }}</call>
{%- endfor %}{{ message.content }}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def lesson(number: int) -> Lesson:
    calls = (
        Call("traverse_graph", {"names": [f"m{number}.py:f"], "direction": "in"}, "nothing"),
        Call("retrieve_entity", {"names": [f"m{number}.py:f"]}, f"def f{number}(): return 'secretive'"),
    )  # fmt: skip
    question = f"what breaks when f{number} of part{number} returns word{number}"
    return Lesson(f"l{number}", f"a/r{number}", question, calls, f"`f` [m{number}.py:1-2]", "offline")  # fmt: skip


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    export([lesson(number) for number in range(20)], folder, count=len, most_tokens=100_000)
    return folder


@pytest.fixture(scope="module")
def words(training: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a student's tokenizer with its chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers  # noqa: PLC0415

    bytes_ = Tokenizer(models.BPE())
    bytes_.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_.decoder = decoders.ByteLevel()
    special = ["<|im_start|>", "<|im_end|>", "<|pad|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bytes_.train(
        [str(training / "train.jsonl")],
        trainers.BpeTrainer(vocab_size=800, special_tokens=special, initial_alphabet=alphabet),
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=bytes_, eos_token="<|im_end|>", pad_token="<|pad|>"
    )
    tokenizer.chat_template = TEMPLATE
    folder = tmp_path_factory.mktemp("words")
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def student(words: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a whole student."""
    torch = pytest.importorskip("torch", reason=EXTRA)
    pytest.importorskip("trl", reason=EXTRA)
    folder = shutil.copytree(words, tmp_path_factory.mktemp("student"), dirs_exist_ok=True)
    shape = transformers.Qwen2Config(
        vocab_size=len(tokenizer_of(str(words))), hidden_size=32, intermediate_size=64,
        num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True,
        initializer_range=0.5,
    )  # fmt: skip
    transformers.set_seed(0)
    torch.set_num_threads(1)  # several would wait for each other longer than they work
    transformers.Qwen2ForCausalLM(shape).save_pretrained(folder)
    return folder


def test_only_what_the_assistant_says_is_learned_and_each_turn_is_shown_what_came_before(
    training: Path, words: Path
) -> None:
    turns = read_turns(training, tokenizer_of(str(words)), most_tokens=8_192)
    assert turns.lessons == {"train": 18, "validation": 2}
    assert {part: len(rows) for part, rows in turns.parts.items()} == {"train": 54, "validation": 6}
    first, second, last = turns.parts["train"][:3]
    assert first["prompt"].endswith("<|im_start|>assistant\n")
    assert first["completion"].startswith('<call>traverse_graph {"names": ["m')
    assert '"direction": "in"}</call>' in first["completion"]
    assert "direction" not in second["completion"]
    assert first["completion"] in second["prompt"]
    assert "secretive" in last["prompt"]
    assert last["completion"].startswith("`f` [m")
    assert not any("secretive" in turn["completion"] for turn in turns.parts["train"])
    assert all(turn["completion"].endswith("<|im_end|>") for turn in turns.parts["train"])
    assert 0 < turns.learned < turns.tokens


def test_a_lesson_too_long_for_the_student_is_left_out_and_counted(
    training: Path, words: Path
) -> None:
    tokenizer = tokenizer_of(str(words))
    with pytest.raises(SettingsError, match="no lesson to train with"):
        read_turns(training, tokenizer, most_tokens=10)


@pytest.mark.parametrize("text", ["", "{", '{"messages": 3}\n', "[]\n"])
def test_a_folder_that_is_no_training_set_is_refused(
    tmp_path: Path, words: Path, text: str
) -> None:
    (tmp_path / "train.jsonl").write_text(text)
    (tmp_path / "validation.jsonl").write_text("")
    with pytest.raises(SettingsError):
        read_turns(tmp_path, tokenizer_of(str(words)), most_tokens=100)
    with pytest.raises(SettingsError, match="no training set"):
        read_turns(tmp_path / "none", tokenizer_of(str(words)), most_tokens=9)


def test_a_dry_run_counts_and_writes_nothing(
    cli: Cli, training: Path, words: Path, tmp_path: Path
) -> None:
    ran = cli("distill", "train", training, "--base", words, "-o", tmp_path / "a", "--dry-run")
    assert ran.code == 0
    assert "18 lessons for training, 2 for validation, 0 too long" in ran.out
    assert not (tmp_path / "a").exists()


def test_an_adapter_is_trained_and_what_it_learned_shows(
    cli: Cli, training: Path, student: Path, tmp_path: Path
) -> None:
    adapter = tmp_path / "adapter"
    ran = cli(
        "distill", "train", training, "--base", student, "-o", adapter,
        "--steps", "10", "--batch", "2", "--learning-rate", "0.02", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    trained = json.loads(ran.out)["trained"]
    assert trained["steps"] == 10
    assert trained["losses"][-1] < 0.9 * trained["losses"][0]
    assert trained["validation_loss"] < trained["losses"][0]
    assert {"adapter_config.json", "adapter_model.safetensors"} <= {
        file.name for file in adapter.iterdir()
    }


def test_a_model_that_is_none_is_refused(cli: Cli, training: Path, tmp_path: Path) -> None:
    ran = cli("distill", "train", training, "--base", tmp_path)
    assert ran.code == 2
    assert "no tokenizer" in ran.err
