"""Ask a repository a question; get the files, classes and functions that answer it, and the path that proves it."""

from __future__ import annotations

__version__ = "0.1.0"
