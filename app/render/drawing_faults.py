"""Parts of a picture: one that cannot be drawn is reported by its name, the others are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtGui import QPainter

from app.qt_guard import report_fault
from randomizer.model.map.battlemap import BattleMap


class picture_part:  # noqa: N801 - as ``painting``, and for its reason a class
    """A context that draws a part of the picture; the painter gets its state back.

    A fault in it is reported with the ``name`` of the part, and ends no more than the part.
    """

    def __init__(self, painter: QPainter, name: str) -> None:
        self._painter = painter
        self._name = name

    def __enter__(self) -> None:
        self._painter.save()

    def __exit__(
        self, _kind: type[BaseException] | None, fault: BaseException | None, _traceback: object
    ) -> bool:
        """Report a fault; return whether there was one: the rest of the picture is drawn."""
        self._painter.restore()
        if not isinstance(fault, Exception):
            return False
        fault.add_note(f"{self._name} cannot be drawn")
        report_fault(fault)
        return True


def without_undrawable(
    battlemap: BattleMap, draw: Callable[[BattleMap], object]
) -> BattleMap | None:
    """Return the map without the visible layers that ``draw`` fails on, each of which is reported.

    None if it fails on no layer by itself. The layers are the map's own.
    """
    drawable = []
    for layer in battlemap.layers:
        try:
            if layer.visible:
                draw(replace(battlemap, layers=[layer]))
        except Exception as fault:  # noqa: BLE001 - reported
            fault.add_note(f"The layer {layer.name} cannot be drawn and is left out")
            report_fault(fault)
        else:
            drawable.append(layer)
    if len(drawable) == len(battlemap.layers):
        return None
    return replace(battlemap, layers=drawable)
