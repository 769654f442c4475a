"""How fair battlelands are by the rules of Titan: movement, battles, measures.

Reached through ``generator`` and the catalog; works on batches of battlelands.
"""
