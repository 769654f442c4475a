"""The limits of one run of a map script: of its time, and of the memory of its child process.

result = yield from run_script(script, settings, mods, limits=current_limits())
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from randomizer.scripts.script_time import script_time_limit

MEBIBYTE = 1 << 20

TIME_OF_CPU_TIME = 10
"""How many times as long as its processor time a run can last: other programs run as well."""


@dataclass(frozen=True)
class Limits:
    """The limits of one run of a script."""

    time_s: float = 600.0
    """The time from the first line of the script on, in seconds.

    Real scripts need half a minute for maps of 512 tiles, and four times that for the largest, on a
    quick machine.
    """

    heap: int = 1024 * MEBIBYTE
    """V8's heap in bytes; typed arrays do not count."""

    memory: int = 2048 * MEBIBYTE
    """The memory in bytes that the whole child may use.

    Real scripts use up to 700 MiB; below 640 MiB of RLIMIT_DATA V8 does not start.
    """

    cpu_s: float | None = None
    """The processor time of the child, in seconds from the first line on; None: not counted."""

    time_option: str = ""
    """The option of the command line with which a user gives scripts more processor time."""


LIMITS = Limits()
"""The limits where the user has not limited the processor time of scripts."""


def current_limits() -> Limits:
    """Return the limits with the processor time that the program lets scripts have."""
    limit = script_time_limit()
    if limit is None:
        return LIMITS
    time_s = max(LIMITS.time_s, TIME_OF_CPU_TIME * limit.seconds)
    return replace(LIMITS, time_s=time_s, cpu_s=limit.seconds, time_option=limit.option)
