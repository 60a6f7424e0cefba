"""A newcomer does what the README says, and sees what it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".demo", ".hindsight", "__pycache__", ".*_cache")
CHANGING = re.compile(r"[\d.,]+ (?:s|ms|kB|MB)\b")
"""Times, and sizes that depend on the engines' versions."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of this checkout without anything that was made in it."""
    root = tmp_path_factory.mktemp("clone") / "hindsight-neo4j"
    shutil.copytree(ROOT, root, ignore=LEFT_OUT)
    return root


@pytest.fixture(scope="module")
def demo(clone: Path) -> str:
    """Return what `make demo` prints."""
    return shell("make demo", clone)


def shell(line: str, where: Path, **more: str) -> str:
    kept = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "MAKEFLAGS")
    }
    ran = subprocess.run(
        ["bash", "-c", line],
        cwd=where,
        env={**kept, **more},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert ran.returncode == 0, f"$ {line}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def blocks(kind: str) -> list[str]:
    """Return the fenced blocks of the README marked `kind`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shown(text: str) -> list[str]:
    # The README shows fewer branches of a tree, so that another one is the last.
    lines = text.replace("└─", "├─").splitlines()
    return [CHANGING.sub("N", line).rstrip() for line in lines if line.strip()]


def test_the_two_commands_to_set_up_are_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_make_demo_answers_with_evidence(demo: str) -> None:
    assert "src/flask/helpers.py" in demo
    assert "url_for" in demo
    assert "is called by" in demo


def test_the_session_shown_is_the_session_seen(clone: Path, demo: str) -> None:
    """The `console` blocks, command for command and line for line, run where the demo put flask."""
    path = f"{clone / '.demo' / 'bin'}:{os.environ['PATH']}"
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            if line.startswith("hindsight"):
                seen = shell(line, clone / ".demo" / "flask-3.0.3", PATH=path)
                assert set(shown(output)) <= set(shown(seen)), line


def test_the_python_shown_runs(clone: Path, demo: str, tmp_path: Path) -> None:
    (block,) = blocks("python")
    script = tmp_path / "shown.py"
    script.write_text(block)
    shell(f"{clone / '.demo' / 'bin' / 'python'} {script}", clone / ".demo" / "flask-3.0.3")


def test_another_repository_can_be_shown(clone: Path, demo: str, tmp_path: Path) -> None:
    mine = tmp_path / "it's mine"
    mine.mkdir()
    (mine / "app.py").write_text("def read_configuration():\n    return {}\n")
    said = shell(f'make demo REPO="{mine}" QUESTION="who\'s reading configuration?"', clone)
    assert "read_configuration" in said
    assert [path.name for path in mine.iterdir()] == ["app.py"]
