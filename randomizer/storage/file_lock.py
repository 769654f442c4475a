"""A lock that the system holds as long as the program runs: it goes with a crash or a kill."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO


def lock_file(path: Path) -> IO[bytes] | None:
    """Lock ``path``, made if it is not there, until the file given back is closed.

    None if another one has it locked, in this program or elsewhere. Raises OSError.
    """
    file = path.open("ab")
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
