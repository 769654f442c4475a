"""The script that the desk shows: its text, where it lives, its problems, its file on the disk.

The features that look at a script share it.
"""
