"""Work off the UI thread: jobs with progress and cancelling, what runs after the first paint, and
work on the UI thread in slices.

Knows no map; everything may use it.
"""
