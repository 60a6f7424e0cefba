"""Fine-tuning: a LoRA adapter for an open model, from the turns of a training set. The only importer of peft, torch and trl,
which the extra `finetune` installs.

    tokenizer = tokenizer_of("Qwen/Qwen3-8B")
    turns = read_turns(Path("training"), tokenizer, most_tokens=8_192)
    train(turns, "Qwen/Qwen3-8B", tokenizer, Path("adapter"), Training())
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import datasets
import torch
from peft import LoraConfig
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from hindsight_neo4j.distillation.turns import Turns
from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.progress import Progress, Silent


@dataclass(frozen=True, slots=True)
class Training:
    """How to train. The defaults are a usual start for LoRA; nothing was tuned here.

    Attributes:
        epochs: Times that every turn is seen.
        steps: Most steps; 0 for as many as the epochs take.
        batch: Turns a step.
        rank: Of the adapter's matrices, beside every linear layer.
        learning_rate: At its highest.
        seed: Of the order and of the adapter's first values.
    """

    epochs: float = 3.0
    steps: int = 0
    batch: int = 8
    rank: int = 16
    learning_rate: float = 1e-4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training did: the loss of each step, and that on the validation part at the end, None where it is empty."""

    steps: int
    losses: tuple[float, ...]
    validation_loss: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, ready for JSON."""
        return asdict(self)


def train(
    turns: Turns,
    base: str,
    tokenizer: Any,
    output: Path,
    options: Training,
    progress: Progress | None = None,
) -> Trained:
    """Train an adapter for `base` and write it into `output`.

    Raises:
        SettingsError: There is no such model.
    """
    on_gpu = torch.cuda.is_available()
    parts = {part: datasets.Dataset.from_list(rows) for part, rows in turns.parts.items() if rows}
    shown = _Shown(progress or Silent())
    arguments = SFTConfig(
        output_dir=str(output),
        num_train_epochs=options.epochs,
        max_steps=options.steps or -1,
        per_device_train_batch_size=1,
        per_device_eval_batch_size=1,
        gradient_accumulation_steps=options.batch,
        activation_checkpointing=on_gpu,
        learning_rate=options.learning_rate,
        max_length=None,  # what is too long was left out whole
        completion_only_loss=True,
        bf16=on_gpu,
        use_cpu=not on_gpu,
        seed=options.seed,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )
    try:
        trainer = SFTTrainer(
            model=base,
            args=arguments,
            train_dataset=parts["train"],
            eval_dataset=parts.get("validation"),
            processing_class=tokenizer,
            peft_config=LoraConfig(
                r=options.rank,
                lora_alpha=2 * options.rank,
                target_modules="all-linear",
                task_type="CAUSAL_LM",
            ),
            callbacks=[shown],
        )
    except OSError as error:
        raise SettingsError(f"{base} cannot be loaded ({error})") from error
    trainer.remove_callback(PrinterCallback)  # it writes to stdout
    trainer.train()
    trainer.save_model(str(output))
    validation = trainer.evaluate()["eval_loss"] if "validation" in parts else None
    return Trained(trainer.state.global_step, tuple(shown.losses), validation)


class _Shown(TrainerCallback):  # type: ignore[misc]
    """Tells how far a training is, and keeps its losses."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.losses: list[float] = []

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._progress.stage("train", state.max_steps)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._progress.advance(1)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        if "loss" in (logs or {}):
            self.losses.append(float(logs["loss"]))
