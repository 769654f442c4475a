"""Dialogs that any part of the desk can open."""
