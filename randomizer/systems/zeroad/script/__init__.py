"""The text of a random map script: where it lies among mods, its problems, and its language.

Called by the script host and by generators; nothing here runs a script to its end.
"""
