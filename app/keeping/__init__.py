"""Nothing is lost: journal, recovery, undo memory, files that others change."""
