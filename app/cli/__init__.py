"""The verbs of ``battlelands`` that open no window: ``picture``, ``tables`` and ``trace``.

Only ``app.__main__`` calls it.
"""
