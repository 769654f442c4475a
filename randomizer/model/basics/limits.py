"""The limits of a map: what is beyond one of them is neither read, made nor written.

They keep a file from anywhere from taking all memory. The checks are in ``model.gate``.
"""

from __future__ import annotations

LARGEST_FILE = 256 * 2**20
"""The most bytes of a file of any format: room for a million cells with all layers."""

MAX_CELLS = 1024 * 1024
"""The most cells of a grid."""

MAX_LAYERS = 500
"""The most layers of a map."""

MAX_THINGS = 65_536
"""The most things in all layers of a map together."""

MAX_THING_TEXT = 8 * 2**20
"""The most bytes, as JSON, of kinds, labels, keys and states of all things of a map together."""

LONGEST_LINE = 1000
"""The most characters of a name, title or label."""

LONGEST_TEXT = 2**20
"""The most characters of the text of a script."""

LARGEST_DATA = 2**20
"""The most bytes, as JSON, of one record, of the view, and of a layer's settings or extras."""

DEEPEST_DATA = 20
"""The depth to which lists and objects of such data can be nested."""

LARGEST_ID = 2**62
"""The largest id of a layer or thing: the next one is still a number of 64 bits."""

LARGEST_INT = 2**63 - 1
"""The largest whole number in data; the smallest is -LARGEST_INT - 1: signed, 64 bits."""
