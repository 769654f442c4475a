"""What a map is, and what changes it: grids, planes, layers, things, edits, problems.

Everything else may import this room; it imports numpy only.
"""
