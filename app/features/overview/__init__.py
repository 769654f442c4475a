"""The overview: the whole map small, with the frame of what the canvas shows."""
