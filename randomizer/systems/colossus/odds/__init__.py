"""The odds of a randomizer script: maps are rolled at once and counted.

Reached through ``generator``; stands above ``rolling``.
"""
