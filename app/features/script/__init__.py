"""The panel that shows a randomizer script, edits it and rolls it."""
