"""Many maps of one generator at once: batches, measures, odds, searches.

The gallery, the odds, locks and ``randomizer find`` call it; it knows no system by name.
"""
