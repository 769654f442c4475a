"""The manual, the list of mouse and keys, the tour, the version."""
