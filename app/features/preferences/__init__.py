"""The dialog of settings, with the keys of all commands."""
