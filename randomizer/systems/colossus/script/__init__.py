"""The ``.rnd`` language: grammar, syntax tree, recovery from mistakes, lint."""
