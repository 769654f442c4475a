"""Names of backups that say when they were made, and sort in the order in which they were made.

    next_name([], now)                              # "20260214-093005-000125"
    time_of_name("20260214-093005-000125")          # the time again

The clock of a computer can be set back. Then the next name is not the time now, but a microsecond
later than the latest name that there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

_TIME = "%Y%m%d-%H%M%S-%f"
"""The form of a time in a name: date, time of day and microseconds, in UTC."""

_NAME = re.compile(r"\d{8}-\d{6}-\d{6}", re.ASCII)
"""A name: a time in the form ``_TIME``, of which ``strptime`` would also take fewer digits."""

_STEP = timedelta(microseconds=1)
"""The smallest difference of two times in names."""


def time_of_name(name: str) -> datetime | None:
    """Return the time that a name says, in UTC.

    None for a name of another form, and for one of the last year that a time can have: no later
    name could follow it.
    """
    if _NAME.fullmatch(name) is None:
        return None
    try:
        time = datetime.strptime(name, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return None
    if time.year == datetime.max.year:
        return None
    return time


def next_name(names: Iterable[str], now: datetime) -> str:
    """Return the name of a backup made ``now`` that comes after all ``names``."""
    times = [time for time in map(time_of_name, names) if time is not None]
    latest = max(times, default=None)
    if latest is not None and latest >= now:
        now = latest + _STEP
    return now.strftime(_TIME)
