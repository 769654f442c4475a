"""Two maps side by side, with their differences."""
