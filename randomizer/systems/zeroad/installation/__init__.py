"""Installed games and mods of 0 A.D. on this computer: found, and read without unpacking.

The script host, the catalogue's listing and the export call it; nothing here writes a file.
"""
