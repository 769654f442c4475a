"""Find a command by a word."""
