"""Xconq: its mapfiles, its period language and its random worlds."""
