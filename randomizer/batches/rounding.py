"""The rounding errors of measures."""

ROUNDING = 1e-9
"""Values of one measure that are nearer to each other are the same, but for rounding errors."""
