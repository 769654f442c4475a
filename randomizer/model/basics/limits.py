"""The largest map: what is beyond one of these limits is neither read, made nor written."""

from __future__ import annotations

LARGEST_FILE = 256 * 2**20
"""In bytes: the most of a file of any format. It has room for a million cells with all layers."""

MOST_CELLS = 1024 * 1024
MOST_LAYERS = 500
MOST_THINGS = 65_536
"""In all layers of a map together."""

MOST_THING_TEXT = 8 * 2**20
"""In bytes of JSON: kinds, labels, keys and states of all things of a map together."""

LONGEST_LINE = 1000
"""In characters: names, titles, labels."""

LONGEST_TEXT = 2**20
"""In characters: the text of a script."""

LARGEST_DATA = 2**20
"""In bytes of JSON: the view, a layer's settings or unknown parts, one record."""

DEEPEST_DATA = 20
"""How deep lists and objects of such data can be nested."""

LARGEST_ID = 2**62
"""Ids are 0 .. LARGEST_ID, so that the next one is a 64-bit number, too."""

LARGEST_INT = 2**63 - 1
"""Whole numbers are -LARGEST_INT - 1 .. LARGEST_INT: signed, 64 bits."""
