"""Shared controls. Nothing here knows a map."""
