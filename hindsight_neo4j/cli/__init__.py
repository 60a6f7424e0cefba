"""Commands: flags in, exit codes out. Knows the client and nothing below it."""
