"""Makes the file of a picture of a map: PNG at a chosen scale, SVG and PDF at a true size.

The dialog of pictures and the command line ask for it with a ``PictureRequest``. ``bitmaps.py`` and
``documents.py`` make the files; ``map_drawing.py`` says how a map is drawn in them, ``detail.py``
how finely.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.paper.bitmaps import png
from app.paper.documents import pdf, svg
from app.paper.picture_request import KINDS, PictureRequest
from app.paper.steps import Steps, write_work
from app.render.vector.snapshots import snapshot
from randomizer.model.basics.plurals import listed
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error


def kind_of(path: Path) -> str:
    """Return the suffix of ``path``, one of ``KINDS``. Raises ProblemError for another one."""
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        unknown_kind = "Pictures without a suffix"
        if suffix:
            unknown_kind = f"{suffix.removeprefix('.').upper()} pictures"
        raise error(
            "picture-suffix",
            f"{unknown_kind} cannot be written: choose a name that ends in "
            f"{listed(tuple(KINDS), 'or')}",
            path=str(path),
        )
    return suffix


def picture(
    kind: str, request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> Steps:
    """Return the file of a picture of one of ``KINDS``, as the map is now.

    The first step raises ProblemError if the map cannot be drawn as requested.
    """
    make_picture = {".png": png, ".svg": svg, ".pdf": pdf}[kind]
    return make_picture(request, *snapshot(battlemap, composite, request.overlays))


def export_work(
    path: Path, request: PictureRequest, battlemap: BattleMap, composite: Composite
) -> Callable[[Callable[[int], None], Callable[[], bool]], Path | None]:
    """Return the work of a job: write a picture of the map as it is now, and return ``path``.

    The work returns None if it was cancelled. Raises ProblemError for a suffix that is not one of
    ``KINDS``.
    """
    return write_work(path, picture(kind_of(path), request, battlemap, composite))
