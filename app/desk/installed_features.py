"""What other installed packages add to the desk: panels, commands, tools, overlays, pictures.

A package lists its ``Feature`` rows as ``FEATURES``; ``add_installed`` is called once the features
of the program itself are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.background.jobs import Job
from app.desk.desk import Desk
from app.desk.feature import Feature
from app.qt_guard import connect, report_fault
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer import installed

if TYPE_CHECKING:
    from randomizer.generator_run import Progress


def add_installed(desk: Desk) -> None:
    """Look for other packages, off the UI thread, and make their features.

    Returns at once. A feature that cannot be loaded or made is reported to the user, as are faults
    that its code has later; the rest of the desk works.
    """
    if report_fault not in installed.listeners:
        installed.listeners.append(report_fault)

    def make(features: list[Feature]) -> None:
        for feature in features:
            try:
                desk.add_feature(feature)
            except Exception as reason:  # noqa: BLE001 - code of others can raise anything
                reason.add_note(f"{feature.title} could not be made")
                report_fault(reason)
        if installed.problems():
            show_problems(desk.frame, "A package cannot be used as a whole", installed.problems())

    job = Job(_load, desk)
    connect(job.finished, make)
    job.start()


def _load(_progress: Progress, _cancelled: Callable[[], bool]) -> list[Feature]:
    """Import the modules of the features of all packages; return those that could be imported."""
    features: list[Feature] = []
    for package in installed.packages():
        for feature in package.load_parts("FEATURES"):
            # Imported here, off the UI thread: the desk then makes the feature without waiting.
            if package.load_part(feature.module) is not None:
                features.append(feature)
    return features
