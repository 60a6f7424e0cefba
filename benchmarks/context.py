"""How much of what an answer needs is in the packed context? 128 questions about graphiti, by condition and budget.

    python -m benchmarks.context                # a part of `benchmarks.ladder`

Scored by score_context.py of the benchmark data: gold files and gold functions with a piece in the context, the share of the
gold functions' lines in it, and the share of the facts' code names. All conditions count tokens alike. The floor is keyword
search as it is commonly packed: whole chunks, the best first, those that still fit.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.corpora import localization_corpora
from benchmarks.localize import TaskSet, ingest, tasks_of
from benchmarks.measuring import (
    CHECKOUT,
    BenchmarkError,
    bench_data,
    cache_folder,
    load_average,
    markdown_table,
    write_result,
)
from hindsight_neo4j import Hindsight
from hindsight_neo4j.evaluation.charts import write_lines
from hindsight_neo4j.model.question import Asked, Budget, Evidence
from hindsight_neo4j.retrieval.budget import TOKENIZER
from hindsight_neo4j.retrieval.pack import pack, price
from hindsight_neo4j.retrieval.pipeline import LOCATE, ask
from hindsight_neo4j.retrieval.state import AskOptions, RetrievalState, Sources, Stage

BUDGETS = (4_000, 8_000, 16_000)
MEASURES = ("files", "functions", "function_lines", "fact_names")
QUESTIONS = TaskSet("questions", "qa.jsonl")
CHARTS = CHECKOUT / "docs" / "benchmarks" / "context"

Scored: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Packing:
    """A named way to fill a context."""

    name: str
    what: str
    policy: str
    pack: Stage = pack


def pack_hits(state: RetrievalState) -> RetrievalState:
    """Pack the chunks that the search found, the best first, each that still fits."""
    limit, used = state.options.budget, 0
    kept = []
    for hit in state.hits:
        chunk = hit.chunk
        tokens = price(chunk.symbol, chunk.start_line, chunk.end_line, chunk.text)
        if used + tokens <= limit:
            used += tokens
            kept.append(
                Evidence(
                    id=chunk.symbol,
                    path=chunk.path,
                    start_line=chunk.start_line,
                    end_line=chunk.end_line,
                    text=chunk.text,
                    tokens=tokens,
                    whole=True,
                    via=(),
                )
            )
    budget = Budget(limit=limit, used=used, tokenizer=TOKENIZER)
    return replace(state, evidence=tuple(kept), budget=budget)


PACKINGS = (
    Packing("bm25", "keyword search, whole chunks", "bm25", pack_hits),
    Packing("bm25, packed as ours", "keyword search, whole functions, then signatures", "bm25"),
    Packing("article", "the published system's walk, packed as ours", "article"),
    Packing("ours", "the default", "default"),
)


def said(identity: str, asked: Asked) -> str:
    """Return the line of a prediction file."""
    return json.dumps({"id": identity, **asked.to_dict()}, ensure_ascii=False)


def predict(questions: Sequence[Mapping[str, Any]], sources: Sources) -> dict[str, Path]:
    """Pack a context for every question, and return the prediction files by "condition/budget"."""
    folder = cache_folder() / "predictions"
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for packing in PACKINGS:
        rows = [packed(packing, row, sources) for row in questions]
        for budget, lines in zip(BUDGETS, zip(*rows, strict=True), strict=True):
            file = folder / f"context-{packing.name.replace(' ', '-')}-{budget}.jsonl"
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            files[f"{packing.name}/{budget}"] = file
    return files


def packed(packing: Packing, row: Mapping[str, Any], sources: Sources) -> list[str]:
    """Return the line of a question for each of `BUDGETS`; the retrieval is the same for all, and runs once."""
    found: list[RetrievalState] = []

    def retrieve(state: RetrievalState) -> RetrievalState:
        if not found:
            found.append(reduce(lambda known, stage: stage(known), LOCATE, state))
        return replace(found[0], options=state.options)

    stages = (retrieve, packing.pack)
    return [
        said(row["id"], ask(row["question"], sources, AskOptions(packing.policy, budget=budget), stages=stages))
        for budget in BUDGETS
    ]  # fmt: skip


def score(predictions: Path, source: Path, against: Path | None) -> Scored:
    """Score a prediction file with the benchmark data's own scorer.

    Raises:
        BenchmarkError: It failed, or a context is over its budget.
    """
    scorer = bench_data() / "tools" / "score_context.py"
    command: list[str | Path] = [
        sys.executable, scorer, "--json", "--gold", bench_data() / QUESTIONS.file,
        "--pred", predictions, "--source", source,
    ]  # fmt: skip
    if against:
        command += ["--against", against]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"score_context.py: {done.stderr.strip()[-1500:]}")
    scored: Scored = json.loads(done.stdout)
    if scored["budget"]["over_budget"] or scored["budget"]["understated"]:
        raise BenchmarkError(f"{predictions.name}: contexts over their budget")
    return scored


def run(*, fresh: bool = False) -> dict[str, Scored]:
    """Return the scores by "condition/budget", each beside the floor at its budget."""
    (corpus,) = (each for each in localization_corpora() if tasks_of(each, QUESTIONS.tasks()))
    index, _ = ingest(corpus, fresh=fresh)
    with Hindsight.open(index=index) as client:
        files = predict(QUESTIONS.tasks(), client._sources())
        source = client._root()
    floor = PACKINGS[0].name
    return {
        name: score(file, source, None if name.startswith(f"{floor}/") else files[f"{floor}/{name.rpartition('/')[2]}"])
        for name, file in files.items()
    }  # fmt: skip


def report(scores: Mapping[str, Scored]) -> str:
    """Return the tables: every measure of every condition and budget, and the parts at each scope."""
    rows = [
        (*name.split("/"), *(scored["all"][each] for each in MEASURES))
        for name, scored in scores.items()
    ]
    scopes = [
        (*name.split("/"), block["value"], *(block[each] for each in MEASURES))
        for name, scored in scores.items()
        for block in scored["splits"]
        if block["split"] == "scope"
    ]
    compared = [
        (
            *name.split("/"),
            each["metric"],
            *(each[key] for key in ("difference", "low95", "high95")),
        )
        for name, scored in scores.items()
        for each in scored.get("comparison", ())
    ]
    return "\n\n".join(
        [
            markdown_table(("condition", "tokens", *MEASURES), rows),
            markdown_table(("condition", "tokens", "scope", *MEASURES), scopes),
            markdown_table(
                ("condition", "tokens", "measure", "minus bm25", "low 95 %", "high 95 %"), compared
            ),
        ]
    )


def draw(scores: Mapping[str, Scored]) -> list[Path]:
    """Draw each measure over the budget, a line a condition, and return the files."""
    return [
        write_lines(
            CHARTS / f"{measure.replace('_', '-')}.png",
            f"Gold {measure.replace('_', ' ')} in the context",
            {
                packing.name: {
                    float(budget): scores[f"{packing.name}/{budget}"]["all"][measure]
                    for budget in BUDGETS
                }
                for packing in PACKINGS
            },
            x_title="tokens",
        )
        for measure in MEASURES
    ]


def main() -> int:
    """Run, print the tables and keep the figures."""
    load = load_average()
    try:
        scores = run()
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    print(report(scores))
    write_result("context", data_pin=QUESTIONS.file, load_before=load, figures=scores)
    return 0


if __name__ == "__main__":
    sys.exit(main())
