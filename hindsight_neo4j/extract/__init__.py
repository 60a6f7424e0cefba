"""Bytes of one file to its facts. Pure: no I/O, and bad source gives diagnostics, never an exception."""
