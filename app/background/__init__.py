"""Long work off the UI thread: jobs with progress and cancel, the newest of several, start steps.

Knows no map; everything may use it.
"""
