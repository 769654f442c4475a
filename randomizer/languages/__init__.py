"""What every text language has: ``Language``, which editors, checks and completion ask.

A system, or the room of filters, fills in what it knows of its own; nothing here knows a map.
"""
