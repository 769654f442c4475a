"""The dialog for a new map: which kind, which layout, which size."""
