"""Xconq: its mapfiles, its period language and its worlds.

Called by the catalogue, and by the desk's folder for Xconq.
"""
