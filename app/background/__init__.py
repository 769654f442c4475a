"""Work off the UI thread: jobs with progress and cancelling, and what runs after the first paint.

Knows no map; everything may use it.
"""
