"""The verbs of ``battlelands`` that need no window: ``picture`` and ``tables``.

Only ``app.__main__`` calls it.
"""
