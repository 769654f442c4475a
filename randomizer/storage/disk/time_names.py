"""Names of backups that say when they were made, and whose order is that in which they were made.

The clock of a computer can be set back: then the next name is that of the latest backup and a
microsecond, however late that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

_TIME = "%Y%m%d-%H%M%S-%f"
_NAME = re.compile(r"(\d{8}-\d{6}-\d{6})(-\d\d)?", re.ASCII)
_STEP = timedelta(microseconds=1)


def time_of_name(name: str) -> datetime | None:
    """Return the time that a name says, None for a name of another form, or of a time after all
    others.

    Two digits after it tell names of the same time apart.
    """
    match = _NAME.fullmatch(name)
    try:
        if match:
            time = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
        else:
            time = None
    except ValueError:
        return None
    return None if time is None or time.year == datetime.max.year else time


def next_name(names: Iterable[str], now: datetime) -> str:
    """Return the name of a backup made ``now`` that comes after all ``names``."""
    latest = max(filter(None, map(time_of_name, names)), default=None)
    if latest is not None and latest >= now:
        now = latest + _STEP
    return now.strftime(_TIME)
