"""Measured claims: data pin, command, result file. Run from a checkout; the package never imports this."""
