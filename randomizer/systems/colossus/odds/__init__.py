"""The odds of a randomizer script: exact tables without rolling, sampled ones by rolling.

Reached through ``generator``; stands above ``rolling``.
"""
