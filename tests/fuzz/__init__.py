"""Fuzzing: one harness a reader, which takes any bytes.

``python -m tests.fuzz NAME --inputs 1000000`` runs one by hand, guided by coverage where atheris is
installed; the tests run every input that ever failed (``tests/data/fuzz``) and some new ones.
"""
