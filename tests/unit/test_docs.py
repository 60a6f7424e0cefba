"""The documentation and the program say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from hindsight_neo4j.cli.app import GROUPS
from hindsight_neo4j.cli.command import Command

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS = [
    command
    for commands in GROUPS.values()
    for each in commands
    for command in (each.commands.values() if isinstance(each, click.Group) else (each,))
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_a_summary_and_an_example(command: click.Command) -> None:
    assert command.help
    assert command.get_short_help_str()
    assert isinstance(command, Command)
    assert all(example.startswith(("hindsight", "echo")) for example in command.examples)
    assert command.examples


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_option_says_what_it_does(command: click.Command) -> None:
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_the_reference_is_what_the_help_says() -> None:
    script = ROOT / "docs" / "make_cli_reference.py"
    run = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_exit_code_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for code in (0, 1, 2, 3, 4, 5, 70, 130, 141):
        assert f"\n| {code} | " in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    dead = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert dead == []


def test_the_first_screen_of_the_readme_is_a_screen() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines.index("---") <= 40
