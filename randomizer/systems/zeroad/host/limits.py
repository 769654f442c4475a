"""What a script may use."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of one run of a script.

    ``time_s`` counts from the first line of the script; real scripts need half a minute for maps of
    512 tiles, and four times that for the largest, on a quick machine. ``heap`` is V8's heap in
    bytes, ``memory`` the memory in bytes that the whole child may use: typed arrays do not count as
    heap. Real scripts use up to 700 MiB; below 640 MiB of RLIMIT_DATA V8 does not start.
    """

    time_s: float = 600.0
    heap: int = 1024 * MEBIBYTE
    memory: int = 2048 * MEBIBYTE


LIMITS = Limits()
