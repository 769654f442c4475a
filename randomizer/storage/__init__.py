"""How maps and edits reach the disk whole: project files, journal, backups, atomic writes.

The desk's document, the command line and the export call it.
"""
