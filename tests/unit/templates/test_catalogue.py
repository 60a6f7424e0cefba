"""Every template shipped is sound, and a wrong name or file is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.resources import room
from hindsight_neo4j.templates.catalogue import Catalogue
from hindsight_neo4j.templates.guard import check

FILE = """\
// One number.
// params:
// returns: x
// bound: 1 row
// try: nothing to give
UNWIND [1] AS x RETURN x ORDER BY x
"""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue.load(room("cypher"))


def test_the_templates_shipped_are_sound_and_hold_the_rooms(catalogue: Catalogue) -> None:
    rooms = {template.name.partition("/")[0] for template in catalogue}
    assert rooms == {"step", "intents", "lookup", "audit"}
    assert len(catalogue) == len(list(catalogue))


def test_every_template_passes_the_guard_for_users_too(catalogue: Catalogue) -> None:
    for template in catalogue:
        check(template.text, source=template.name)


def test_a_template_is_found_by_its_name_and_by_the_last_part_of_it(catalogue: Catalogue) -> None:
    assert catalogue.get("lookup/callers") is catalogue.get("callers")


def test_an_unknown_name_is_answered_with_near_ones(catalogue: Catalogue) -> None:
    with pytest.raises(TemplateError, match=r"'caller'.*callers"):
        catalogue.get("caller")
    with pytest.raises(TemplateError, match="hindsight templates"):
        catalogue.get("zzz" * 30_000)


def test_a_last_part_that_two_templates_share_must_be_said_in_full(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.cypher").write_text(FILE)
    catalogue = Catalogue.load(tmp_path)
    with pytest.raises(TemplateError, match="one/same, two/same"):
        catalogue.get("same")
    assert catalogue.get("two/same").name == "two/same"


def test_what_writes_is_not_in_the_catalogue(tmp_path: Path) -> None:
    for folder in ("schema", "write"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.cypher").write_text("CREATE (n)")
    assert len(Catalogue.load(tmp_path)) == 0


@pytest.mark.parametrize("content", [b"", b"MATCH", b"// x\n// params: \xff", b"\xef\xbb\xbf// x"])
def test_a_broken_file_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / "broken.cypher").write_bytes(content)
    with pytest.raises(TemplateError, match=r"audit/broken\.cypher"):
        Catalogue.load(tmp_path)
