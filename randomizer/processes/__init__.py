"""Maps of generators that make one after the other, rolled two at a time beside the caller.

The gallery calls it; what a map needs travels to a child process of the core alone, and back.
"""
