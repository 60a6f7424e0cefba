"""Bytes of one file to its facts. Pure: no I/O, and bad source gives diagnostics, never an exception.

    facts = extract(b"x = 1", "a.py", languages["python"], digest="…")

`extract` parses, reports what is wrong in the source, and hands the tree to the language's own module. `builder` is what
such a module fills: it knows scopes and names. Only `python` knows Python.
"""

from hindsight_neo4j.extract.extract import Limits, extract

__all__ = ["Limits", "extract"]
