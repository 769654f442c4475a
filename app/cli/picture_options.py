"""The options of commands that draw maps: sizes, paper, colours and overlays.

A command adds groups of options to its parser (``add_size``, ``add_paper``, ``add_shown``), and
turns the parsed arguments into a request and overlays (``request_of``, ``overlays_of``).
``run_without_window`` runs it.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from randomizer.cli.output import Console, UsageError
from randomizer.cli.running import carry_out
from randomizer.model.problems import Problem, Severity
from randomizer.model.settings.setting import Setting

if TYPE_CHECKING:
    from app.paper.picture_request import PictureRequest
    from app.render.overlay_options import Overlays
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet

LENGTH_LIMIT = 1e6
"""Lengths of options are below this number of millimetres, inches or pixels."""

OVERLAY_OPTIONS = {"thing_names": "--texts"}
"""The options of overlays that are called otherwise than the overlay; inscriptions are texts, too.
"""


def run_without_window(
    parser: Callable[[], argparse.ArgumentParser],
    argv: Sequence[str],
    run: Callable[[argparse.Namespace, Console], int],
) -> int:
    """Run a command that draws without a display; return the exit code."""
    if sys.platform == "linux":  # elsewhere there always is a display
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication(["battlelands"])
    code = carry_out(Console("battlelands"), parser(), argv, run)
    del application  # Qt needs it until here, for fonts
    return code


def add_size(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options for the size of a hex."""
    from app.paper.picture_request import HEX_MM

    size = parser.add_argument_group("size")
    units = size.add_mutually_exclusive_group()
    units.add_argument(
        "--hex-mm",
        type=length,
        metavar="MM",
        help=f"the size of a hex in millimetres ({HEX_MM:g}; on one page of paper: the largest "
        "that fits)",
    )
    units.add_argument("--hex-inches", type=length, metavar="IN", help="the same in inches")
    return size


def add_paper(parser: argparse.ArgumentParser, without: str) -> argparse._ArgumentGroup:
    """Add the options for the paper; ``without`` says what happens without ``--paper``."""
    from app.paper.picture_settings import ORIENTATION, OVERLAP, OVERVIEW, PAPER, PAPER_MARGIN

    paper = parser.add_argument_group("paper (PDF)", without)
    paper.add_argument("--paper", choices=PAPER.values, help="put the map on one page of this")
    add_setting(paper, ORIENTATION)
    add_setting(paper, PAPER_MARGIN, "--margin-mm")
    add_setting(paper, OVERLAP, "--overlap-mm")
    add_setting(paper, OVERVIEW)
    return paper


def add_shown(parser: argparse.ArgumentParser) -> None:
    """Add the options for colours and overlays; an overlay that is not named is None."""
    from app.paper.picture_request import paper_overlays
    from app.paper.picture_settings import COLOURS, overlay_settings
    from app.render.overlay_options import OVERLAYS
    from randomizer.model.grid.layouts import FLAT
    from randomizer.systems.free.system import SYSTEM

    group = parser.add_argument_group("what is drawn")
    add_setting(group, COLOURS)
    landscapes = paper_overlays(SYSTEM, SYSTEM.terrain_set)
    for setting in overlay_settings(FLAT):
        usual = _yes_or_no(setting.default)
        if landscapes.shows(setting.name) != setting.default:
            usual = f"{usual}; landscapes: {_yes_or_no(not setting.default)}"
        add_setting(group, setting, usual=usual)
    # What is usual depends on the map, which is not read yet: so the options have no defaults.
    group.set_defaults(**dict.fromkeys(OVERLAYS))


def add_setting(
    group: argparse._ArgumentGroup, setting: Setting, option: str = "", usual: str = ""
) -> None:
    """Add an option for a setting, called after it if no other ``option`` is given.

    Numbers are lengths: those of all settings of pictures are millimetres. ``usual`` says what
    holds without the option, "" for the setting's default.
    """
    options: dict[str, Any] = {"choices": setting.values}
    default = str(setting.default)
    if setting.kind is bool:
        options = {"action": argparse.BooleanOptionalAction}
        default = _yes_or_no(setting.default)
    elif setting.kind is float:
        options = {"type": length, "metavar": "MM"}
        default = f"{setting.default:g}"
    group.add_argument(
        option or _option_of(setting.name),
        dest=setting.name,
        default=setting.default,
        help=f"{setting.help[0].lower()}{setting.help[1:]} ({usual or default})",
        **options,
    )


def _option_of(name: str) -> str:
    """Return the option of the setting or overlay with a name."""
    usual_option = f"--{name.replace('_', '-')}"
    return OVERLAY_OPTIONS.get(name, usual_option)


def _yes_or_no(value: object) -> str:
    """Return the word for a value that is True or False."""
    if value:
        return "yes"
    return "no"


def length(text: str) -> float:
    """Return the length of an option, from 0 on; one that is too small is refused later.

    Raises ArgumentTypeError for any other text.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < LENGTH_LIMIT:
        raise argparse.ArgumentTypeError(f"a length is wanted, not “{text[:40]}”")
    return value


def request_of(
    arguments: argparse.Namespace,
    kind: str,
    *,
    paper: str | None = None,
    pixels: float | None = None,
    is_poster: bool = False,
) -> PictureRequest:
    """Return the picture that options ask for: a file of a ``kind``, which is its suffix.

    ``arguments`` has the options of this module. ``paper`` is the name of a size of paper, None for
    a page of the map's own size; ``pixels`` are those of a hex, None for the usual ones; a poster
    is on many pages. Raises UsageError if the options contradict one another.
    """
    from app.paper.page_plan import MM_PER_INCH
    from app.paper.picture_settings import PAPER, WayOntoPaper, make_request

    size = arguments.hex_mm
    if arguments.hex_inches is not None:
        size = arguments.hex_inches * MM_PER_INCH
    if pixels is not None and kind in (".svg", ".pdf"):
        raise UsageError("--pixels is for PNG pictures")
    if paper is not None and kind != ".pdf":
        raise UsageError("--paper is for PDF")
    if is_poster and kind != ".pdf":
        raise UsageError("--poster is for PDF")
    # How the map lies on paper: on many pages, on a page of its own size, as large as one page of
    # the paper holds, or on one page at a true size.
    if is_poster:
        way = WayOntoPaper.POSTER
    elif paper is None:
        way = WayOntoPaper.OWN
    elif size is None:
        way = WayOntoPaper.FIT
    else:
        way = WayOntoPaper.PAGE
    # Of all these values the request takes those that are settings of pictures.
    values = {
        **vars(arguments),
        "way": way,
        "size": size,
        "paper": paper or PAPER.default,
        "pixels": pixels,
    }
    return make_request(kind, values)


def overlays_of(arguments: argparse.Namespace, system: System, terrain_set: TerrainSet) -> Overlays:
    """Return the usual overlays of a kind of map, changed as the options ask."""
    from app.paper.picture_request import paper_overlays
    from app.render.overlay_options import OVERLAYS

    overlays = paper_overlays(system, terrain_set)
    for name in OVERLAYS:
        is_drawn = getattr(arguments, name)
        if is_drawn is not None:
            overlays = overlays.having(name, is_drawn)
    return overlays


def ineffective_options(arguments: argparse.Namespace, battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a warning for each overlay that options ask for and that a map cannot show."""
    from app.render.overlay_options import OVERLAYS

    for name, overlay in OVERLAYS.items():
        is_asked_for = getattr(arguments, name) is True
        if is_asked_for and not overlay.offered(battlemap):
            message = f"{_option_of(name)} has no effect on this {battlemap.system.noun}"
            yield Problem(Severity.WARNING, "no-effect", message)
