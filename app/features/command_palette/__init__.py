"""Finds a command by a word: a dialog that lists all commands of the desk, and runs one."""
