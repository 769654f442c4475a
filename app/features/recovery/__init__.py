"""Maps of sessions that ended badly: found at the start, restored or deleted."""
