"""What a script may use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from randomizer.script_time import script_time_limit

MEBIBYTE = 1 << 20

TIME_OF_CPU_TIME = 10
"""How many times as long as its processor time a run can last: other programs run as well."""


@dataclass(frozen=True)
class Limits:
    """The limits of one run of a script.

    ``time_s`` counts from the first line of the script; real scripts need half a minute for maps of
    512 tiles, and four times that for the largest, on a quick machine. ``heap`` is V8's heap in
    bytes, ``memory`` the memory in bytes that the whole child may use: typed arrays do not count as
    heap. Real scripts use up to 700 MiB; below 640 MiB of RLIMIT_DATA V8 does not start.

    ``cpu_s`` is the processor time of the child, in seconds from the first line on; None: not
    counted. ``time_option`` is the option of the command line that gives it more.
    """

    time_s: float = 600.0
    heap: int = 1024 * MEBIBYTE
    memory: int = 2048 * MEBIBYTE
    cpu_s: float | None = None
    time_option: str = ""


LIMITS = Limits()


def current_limits() -> Limits:
    """Return the limits with the processor time that the program lets scripts have."""
    limit = script_time_limit()
    if limit is None:
        return LIMITS
    time_s = max(LIMITS.time_s, TIME_OF_CPU_TIME * limit.seconds)
    return replace(LIMITS, time_s=time_s, cpu_s=limit.seconds, time_option=limit.option)
