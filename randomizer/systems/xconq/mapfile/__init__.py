"""Mapfiles: their header, their sections, and the map that they make; reading and writing.

Called by the catalogue (``formats``), by the game host, and by the desk's panels for Xconq.
"""
