"""What the desk asks of a game that loads maps: its slots, exports and start."""
