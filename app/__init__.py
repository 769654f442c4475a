"""The desk of Battlelands Builder: the Qt program around the core in ``randomizer``."""

import builtins
import os

# Numpy reads this when it is imported. The matrices of a picture are small (a block of pixels by
# its tiles): several threads wait for one another at each, which takes ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# PySide puts a function of its own in the place of Python's import. That reads the source of each
# module which is imported, to see whether it gives Qt's functions other names
# (``from __feature__ import snake_case``). None does, and the first paint would be 30 ms later.
python_import = builtins.__import__
import PySide6.QtCore  # noqa: E402, F401 - replaces the import

builtins.__import__ = python_import
