"""Labels, bars, rows, and short ways to build widgets."""
