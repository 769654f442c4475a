"""The picture below or above the grid: laid, placed, and traced."""
