"""A whole group at once: a map for each of its slots, rolled and exported together."""
