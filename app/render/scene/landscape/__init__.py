"""The ground of landscapes, whose terrains run into one another, and what stands on it.

The scene calls it.
"""
