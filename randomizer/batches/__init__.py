"""Many maps of one generator at once: batches, measures, odds, searches.

All who roll many maps to count them do so through ``map_stream.MapStream``.
The gallery, the odds, locks and ``randomizer find`` call it; it knows no system by name.
"""
