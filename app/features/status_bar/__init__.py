"""The status bar: what is under the mouse, in words, and the zoom."""
