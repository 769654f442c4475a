"""Benchmarks: how quick and how small the program is, against goals and plain implementations.

``python -m tests.benchmarks [NAME ...]`` runs them and prints one table. A benchmark is a function
in a ``bench_*.py`` that yields rows (``benchmark.py``); its goals stand in ``goals.py``.
"""
