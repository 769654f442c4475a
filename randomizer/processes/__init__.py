"""Rolls many maps of a generator beside the caller, two at a time, in child processes.

The gallery calls ``pool.roll_pool``. A child process imports the core (``randomizer``) and nothing
of the desk. What a map is rolled from is sent to it, and the map comes back (``worker``).
"""
