"""The gates compare like with like, and copies differ only in the order they were made."""

from __future__ import annotations

from pathlib import Path

from benchmarks.gates import copy, counts, exported_counts, files_of


def test_counts_are_compared_in_the_words_of_the_export() -> None:
    exported = '{"type":"node","kind":"file","id":"a.py"}\n{"type":"edge","kind":"invokes","src":"a","dst":"b"}\n'
    nodes, edges = exported_counts(exported)
    assert nodes == counts({"File": 1, "Class": 0})
    assert edges == counts({"INVOKES": 1})


def test_a_copy_in_another_order_holds_the_same_files(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "inner").mkdir(parents=True)
    (source / "a.py").write_text("a")
    (source / "inner" / "b.py").write_text("b")
    (source / "link.py").symlink_to(source / "a.py")
    files = files_of(source)
    assert files == [Path("a.py"), Path("inner/b.py")]
    copied = copy(source, reversed(files), tmp_path / "copy")
    assert files_of(copied) == files
    assert (copied / "inner" / "b.py").read_text() == "b"
