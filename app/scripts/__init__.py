"""The scripts of the open maps, each a document: text, undo, file, draft, problems, settings.

The features that look at a script share it.
"""
