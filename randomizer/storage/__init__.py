"""How maps and edits reach the disk: project files, journal, backups, atomic writes.

The desk's document, the command line and the export call it.
"""
