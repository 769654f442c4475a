"""File locks that the system releases when the program ends, even by a crash or a kill."""

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
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    except BaseException:
        file.close()
        raise
    return file


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
