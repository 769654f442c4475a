"""The panels and commands that other installed packages add to the desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.jobs import Job
from app.qt_guard import connect, report_fault
from app.widgets.problem_dialog import show_problems
from randomizer import installed
from randomizer.catalog import package_of
from randomizer.installed import Package

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.desk.feature import Feature
    from randomizer.generator import Progress


class InstalledFeatures(QObject):
    """Makes a package's features when the first map of one of its systems comes to the front.

    So a desk on which no such map is opened looks at no other package. Code is loaded off the UI
    thread. What cannot be loaded or made is shown as a Problem; the rest of the desk works.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._known: set[str] = set()
        connect(desk.document.map_replaced, self._look_at_map)
        self._look_at_map()

    def _look_at_map(self) -> None:
        package = package_of(self._desk.document.battlemap.system)
        if package is None or package.name in self._known:
            return
        self._known.add(package.name)
        job = Job(_loading(package))
        connect(job.finished, self._make)
        job.start()

    def _make(self, features: list[Feature]) -> None:
        faults = list(installed.problems())
        for feature in features:
            try:
                self._desk.add(feature)
            except Exception as reason:  # noqa: BLE001 - code of others can raise anything
                reason.add_note(f"{feature.title} could not be made")
                report_fault(reason)
        if faults:
            show_problems(self._desk.frame, "A package cannot be used as a whole", faults)


def _loading(package: Package) -> Callable[..., list[Feature]]:
    def work(_progress: Progress, _cancelled: Callable[[], bool]) -> list[Feature]:
        features = package.loaded("FEATURES")
        return [feature for feature in features if package.load(feature.module) is not None]

    return work
