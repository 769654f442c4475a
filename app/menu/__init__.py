"""Menus, tool actions and keys: which commands there are and how they are reached."""
