"""Limits the memory of this process, and tells how much another process uses.

A script can ask for any amount of memory. So the child process in which it runs limits its own
memory (``limit_own_memory``). No limit of the system counts everything, so the program also looks
how much its children use (``memory_of``), and ends one that uses too much (docs/adr/0025).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def limit_own_memory(limit: int) -> None:
    """Let allocations of this process fail beyond ``limit`` bytes in all.

    It also writes no core file when it ends at the limit. Windows has no such limits: there this
    does nothing.
    """
    if sys.platform != "win32":
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def memory_of(pid: int) -> int:
    """Return the bytes of memory that a process occupies; 0 if that cannot be found out.

    So an unknown number is below every limit: a child is not ended for it.
    """
    if sys.platform == "linux":
        return _memory_on_linux(pid)
    elif sys.platform == "win32":  # noqa: RET505 - else mypy finds the rest unreachable
        return _memory_on_windows(pid)
    else:
        return _memory_on_unix(pid)


def _memory_on_linux(pid: int) -> int:
    """Return the bytes of memory of a process: the system tells the number of its pages."""
    import resource

    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0  # it has just ended
    return int(pages) * resource.getpagesize()


def _memory_on_unix(pid: int) -> int:
    """Return the bytes of memory of a process, which the command "ps" tells in KiB."""
    command = ["/bin/ps", "-o", "rss=", "-p", str(pid)]
    try:
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return 0  # there is no such command
    output = finished.stdout.strip()
    if output.isdecimal():
        return int(output) * 1024
    return 0


def _memory_on_windows(pid: int) -> int:
    """Return the bytes of the working set of a process, by the Windows API."""
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS of the Windows API."""

        _fields_ = (
            ("size", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            ("peak_working_set_size", ctypes.c_size_t),
            ("working_set_size", ctypes.c_size_t),
            ("further_fields", ctypes.c_size_t * 6),
        )

    system = getattr(ctypes, "windll")  # noqa: B009 - only Windows has it, mypy runs elsewhere
    query_limited_and_read = 0x1000 | 0x0010
    process = system.kernel32.OpenProcess(query_limited_and_read, False, pid)
    if not process:
        return 0
    counters = Counters(size=ctypes.sizeof(Counters))
    succeeded = system.psapi.GetProcessMemoryInfo(process, ctypes.byref(counters), counters.size)
    system.kernel32.CloseHandle(process)
    if succeeded:
        return int(counters.working_set_size)
    return 0
