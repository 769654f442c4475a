"""Small pictures of maps, layers and rolls, drawn a few at a time on the UI thread.

Panels and dialogs call it.
"""
