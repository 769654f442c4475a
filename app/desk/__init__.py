"""The services that a feature gets: one ``Desk`` a window, never the window itself.

Features and systems call it; it calls the rooms below and knows no feature.
"""
