"""File locks, by which a program sees that another one has a journal or a draft open.

The system releases them when the program ends, even by a crash or a kill::

    lock = lock_file(folder / "lock")
    if lock is None:
        ...                 # another program has it
    lock.close()            # unlocks
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from randomizer.storage.disk.regular_files import open_regular


def lock_file(path: Path) -> IO[bytes] | None:
    """Lock ``path``, creating it if needed, until the returned file is closed.

    None if it is locked already, in this program or another. Raises NotAFileError, or OSError.
    """
    file = os.fdopen(open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), "ab")
    try:
        _lock(file.fileno())
    except (BlockingIOError, PermissionError):  # what Unix and Windows raise for a locked file
        file.close()
        return None
    except BaseException:
        file.close()
        raise
    return file


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        """Lock the first byte of a file without waiting. Raises OSError if it is locked."""
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        """Lock a file without waiting. Raises OSError if it is locked."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
