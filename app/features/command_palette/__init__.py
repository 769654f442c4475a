"""Find a command by a few letters."""
