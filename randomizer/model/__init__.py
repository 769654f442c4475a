"""What a map is, and what changes it: grids, planes, layers, things, edits, problems.

Everything else can import this room; it imports numpy only.
"""
