"""CPU time of child processes."""

from __future__ import annotations

import resource
from collections.abc import Callable


def child_cpu_s(run: Callable[[], object]) -> float:
    """Return the CPU time of the processes that ``run()`` starts and that end in it."""
    first_s = ended_children_s()
    run()
    return ended_children_s() - first_s


def ended_children_s() -> float:
    """Return the CPU time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
