"""Planes: the arrays of layers, their specifications, and what they show when laid together."""
