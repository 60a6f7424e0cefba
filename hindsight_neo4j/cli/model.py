"""The flags of a model: which one, how much it does, and where spending stops."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hindsight_neo4j.cli.command import with_options
from hindsight_neo4j.cli.session import Session
from hindsight_neo4j.cli.text import FAINT, plural, printable
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.answer import Mode, TraceStep
from hindsight_neo4j.model.exchange import ModelOptions, SpendLimit, Usage

if TYPE_CHECKING:
    from typing import TextIO


NO_MODEL: Final = "no model is set, so nothing would be sent"
"""What a dry run says then."""


@dataclass(frozen=True, slots=True)
class Talking:
    """How a model takes part. `model` is None where none does."""

    model: ModelOptions | None
    mode: Mode
    spend: SpendLimit
    dry_run: bool
    trace: Path | None

    def asking(self, out: TextIO | None) -> dict[str, Any]:
        """Return what the client's `ask` takes; each step is written to `out` as a line of JSON."""
        if self.mode is Mode.OFFLINE:
            return {"mode": self.mode}
        traced = {} if out is None else {"trace": lambda step: write_step(out, step)}
        return {"model": self.model, "mode": self.mode, "spend": self.spend, **traced}

    def tracing(self, stack: ExitStack) -> TextIO | None:
        """Open the file of `--trace`, before anything is spent.

        Raises:
            SettingsError: It cannot be written.
        """
        if self.trace is None:
            return None
        try:
            return stack.enter_context(self.trace.open("w", encoding="utf-8"))
        except OSError as error:
            raise SettingsError(
                f"{self.trace} cannot be written", hint=error.strerror or ""
            ) from error


def talking(
    *, mode: bool = False, dry_run: bool = False, trace: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the flags of a model, as one `talking`.

    Args:
        mode: Whether `--mode` is among them: how much the model does is for the user to say.
        dry_run: Whether `--dry-run` is.
        trace: Whether `--trace` is, which only makes sense for a question.
    """
    with_dry_run, with_trace = dry_run, trace

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_talking(
            session: Session,
            *,
            model: str | None,
            model_url: str | None,
            max_cost: float | None,
            max_tokens: int | None,
            mode: str | None = None,
            dry_run: bool = False,
            trace: Path | None = None,
            **own: Any,
        ) -> Any:
            options = session.model(model, model_url) if mode != Mode.OFFLINE.value else None
            if model_url and options is None and mode != Mode.OFFLINE.value:
                raise SettingsError("--model-url without a model", hint="give --model")
            chosen = Mode(mode) if mode else (Mode.ASSISTED if options else Mode.OFFLINE)
            if chosen is not Mode.OFFLINE and options is None:
                raise SettingsError(
                    f"--mode {chosen} needs a model", hint="give --model, or set HINDSIGHT_MODEL"
                )
            spend = SpendLimit(cost=max_cost, tokens=max_tokens)
            return command(session, talking=Talking(options, chosen, spend, dry_run, trace), **own)

        return with_options(
            with_talking,
            *_model_options(),
            *((_mode_option(),) if mode else ()),
            *_spend_options(),
            *((_dry_run_option(),) if with_dry_run else ()),
            *((_trace_option(),) if with_trace else ()),
        )

    return decorate


def _model_options() -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--model",
            metavar="NAME",
            help="A model that answers in prose. [default: HINDSIGHT_MODEL; without one nothing is sent]",
        ),
        click.option(
            "--model-url",
            metavar="URL",
            help="Its OpenAI-compatible address. [default: HINDSIGHT_MODEL_URL, else OpenAI's]",
        ),
    ]


def _mode_option() -> Callable[[Any], Any]:
    return click.option(
        "--mode",
        type=click.Choice([one.value for one in Mode]),
        help="How much the model does: nothing; plan and read; choose each step too.",
    )


def _spend_options() -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--max-cost",
            type=click.FloatRange(0),
            metavar="N",
            help="Stop before it costs more.",
        ),
        click.option(
            "--max-tokens",
            type=click.IntRange(0),
            metavar="N",
            help="Stop before it takes more tokens, read and written.",
        ),
    ]


def _dry_run_option() -> Callable[[Any], Any]:
    return click.option(
        "--dry-run", is_flag=True, help="Say what it could take at most; send nothing."
    )


def _trace_option() -> Callable[[Any], Any]:
    return click.option(
        "--trace",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE.jsonl",
        help="Write each step of the model, a JSON object a line.",
    )


def write_step(out: TextIO, step: TraceStep) -> None:
    """Write one step of a trace, at once."""
    out.write(json.dumps(step.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n")
    out.flush()


def usage_text(usage: Usage) -> str:
    """Return what calls took, in one line.

    >>> usage_text(Usage(2, 1, 1_200, 34, 0.5))
    '2 calls, 1 from the cache, 1,200 tokens read and 34 written, cost 0.5'
    """
    parts = [plural(usage.calls, "call")]
    if usage.cached:
        parts.append(f"{usage.cached:,} from the cache")
    parts.append(f"{usage.prompt_tokens:,} tokens read and {usage.completion_tokens:,} written")
    if usage.cost is not None:
        parts.append(f"cost {usage.cost:.4g}")
    return ", ".join(parts)


def show_estimate(session: Session, usage: Usage, where: str) -> None:
    """Print the most that calls of a model could take, and the address that they would go to."""
    if session.as_json:
        session.object({"schema": 1, "most": usage.to_dict(), "model_url": where})
        return
    session.page.line(f"at most {usage_text(usage)}")
    if usage.cost is None:
        hint = "set HINDSIGHT_MODEL_PRICE_IN and HINDSIGHT_MODEL_PRICE_OUT to see the cost"
        session.page.line((hint, FAINT))
    session.page.line((f"it would be sent to {printable(where)}; nothing was sent", FAINT))
