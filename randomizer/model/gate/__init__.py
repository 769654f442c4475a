"""The gate: the one check of all values of a map that comes from outside."""
