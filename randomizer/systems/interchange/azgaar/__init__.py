"""Worlds of Azgaar's Fantasy Map Generator: the codec is in ``azgaar``."""
