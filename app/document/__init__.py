"""The open maps: undo steps, selection, reading and writing files, autosave.

Only ``MapDocument`` applies edits; every room above may listen to it.
"""
