"""The verbs of ``battlelands`` that open no window: ``picture`` and ``tables``.

Only ``app.__main__`` calls it.
"""
