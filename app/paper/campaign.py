"""Tables for a campaign: many maps of one setup in one PDF, each with lists of what to lay.

A wargamer rolls the tables of a whole campaign at once, and prints each map with the dice that were
thrown and the pieces to fetch. A *table* is one of these maps. The dialog of tables and the command
line make a ``Campaign`` and run ``tables_pdf``, where reading begins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer

from app.paper.columns import Section, paint_columns, set_in_columns
from app.paper.export import page_map, pdf_writer
from app.paper.page_painter import PagePainter, PaintPage, map_pages
from app.paper.picture_request import PictureRequest
from app.paper.steps import Steps
from app.rolling.roll_setup import RollSetup
from app.scripts.script import setup_of_roll
from randomizer.catalog.catalog import format_named
from randomizer.generator import DrawKey, Generating, roll_steps
from randomizer.model.basics.plurals import counted, many
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan, Sheet

TABLES = 4
"""The number of maps if none is asked for."""

MOST_TABLES = 100
"""The largest number of maps."""

COUNT = Setting(
    "tables",
    int,
    "How many maps are rolled",
    TABLES,
    minimum=1,
    maximum=MOST_TABLES,
    title="N&umber of maps",
)

MOST_PAGES = 2000
"""The largest number of pages with maps."""

HEAD_MM = 9.0
"""The room for the name of a table at the top of its pages."""


@dataclass(frozen=True, slots=True)
class TableLists:
    """The lists that are printed after a table."""

    log: bool = True
    """True for the dice that were thrown, line by line."""

    parts: bool = True
    """True for the pieces to be fetched, and how many of each."""

    areas: bool = False
    """True for what stands where, row by row."""


TABLE_LISTS = tuple(
    Setting(name, bool, title.replace("&", ""), getattr(TableLists(), name), title=title)
    for name, title in (
        ("log", "The &dice, line by line"),
        ("parts", "The pieces to &fetch"),
        ("areas", "What stands &where, row by row"),
    )
)
"""The fields of ``TableLists`` as settings."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """Several maps of one setup and seed."""

    setup: RollSetup

    key: DrawKey
    """The seed, and the number of the first map."""

    base: Base
    """What all maps are rolled onto."""

    count: int
    """The number of maps."""


def campaign_of(battlemap: BattleMap, layer: Layer, first: int, count: int) -> Campaign:
    """Return maps like the one of a rolled layer, from number ``first`` of its seed on.

    The layers below the roll are below each of them; those above it are left out.
    """
    assert layer.roll is not None, "a rolled layer was asked for"
    positions = parts_from(battlemap, layer.id)
    base = Base.under(battlemap, positions[0], *positions)
    return Campaign(setup_of_roll(layer.roll), DrawKey(layer.roll.seed, first), base, count)


def plan_of(
    request: PictureRequest, battlemap: BattleMap, composite: Composite, count: int
) -> PagePlan:
    """Return how each of ``count`` maps lies on its pages.

    Raises ProblemError if it does not fit on them, and for more pages than ``MOST_PAGES``.
    """
    plan = request.plan(battlemap, composite)
    pages = plan.columns * plan.rows * count
    if pages > MOST_PAGES:
        raise error(
            "too-many-pages",
            f"{counted(count, 'such poster')} {many(count, 'has', 'have')} {pages:,} pages, "
            f"and {MOST_PAGES:,} are the most; "
            "choose fewer tables or a smaller size",
        )
    return plan


def tables_pdf(campaign: Campaign, request: PictureRequest, lists: TableLists) -> Steps:
    """Return the PDF, and yield the percentage done while it is made.

    ``request`` must name a paper. Raises ProblemError for the first table that cannot be made.
    """
    generator, settings = campaign.setup.generator_for(campaign.base)
    base = campaign.base
    count = campaign.count
    # The number of pages is checked before anything is rolled, by a blank map of the same size.
    blank = BattleMap.new(base.system, base.grid, terrain_set=base.terrain_set)
    plan = plan_of(request, blank, blank.composite(), count)
    buffer = QBuffer()
    writer = pdf_writer(buffer, f"{generator.metadata.name}, seed {campaign.key.seed}")
    key = campaign.key
    with closing(PagePainter(writer, plan.sheet)) as painter:
        for index in range(count):
            percent = 100 * index // count
            work = roll_steps(generator, settings, key, base)
            generated = yield from _while_at(percent, work)
            for sheet, page in table_pages(generated, campaign, request, lists, index):
                with closing(painter.steps(page, sheet)) as steps:
                    for _ in steps:
                        yield percent
            # Not the next number: numbers that give no map are passed over.
            key = key._replace(number=generated.number + 1)
    return bytes(buffer.data().data())


def _while_at(percent: int, work: Generating) -> Generator[int, None, Generated]:
    """Run a generator to its end and return its map; yield ``percent`` after each of its steps."""
    with closing(work):
        while True:
            try:
                next(work)
            except StopIteration as end:
                generated: Generated = end.value
                return generated
            yield percent


def table_pages(
    generated: Generated,
    campaign: Campaign,
    request: PictureRequest,
    lists: TableLists,
    index: int,
) -> Iterator[tuple[Sheet, PaintPage]]:
    """Yield the pages of the table number ``index`` (from 0), with their sheets.

    They are its map, then its lists. How the map lies on them depends on its legend.
    """
    base = campaign.base
    battlemap = BattleMap.new(
        base.system, base.grid, [base.as_layer(), *generated.layers], base.terrain_set
    )
    composite = battlemap.composite()
    heading = _heading(generated, battlemap, composite)
    if campaign.count > 1:
        heading = f"{index + 1} of {campaign.count}: {heading}"
    plan = request.plan(battlemap, composite)
    drawn_map = page_map(request, plan, battlemap, composite)
    for page in map_pages(drawn_map, plan, heading, overview=request.overview):
        yield plan.sheet, page
    for columns in set_in_columns(list(sections(generated, battlemap, lists)), plan.sheet):
        list_page = partial(paint_columns, columns=columns, sheet=plan.sheet, heading=heading)
        yield plan.sheet, list_page


def _heading(generated: Generated, battlemap: BattleMap, composite: Composite) -> str:
    """Return the heading of a table: its title if it has one, and the name of its roll."""
    names = [battlemap.system.map_title(composite.properties)]
    if generated.layers:
        names.append(roll_name(generated.layers[0]))
    return ": ".join(name for name in names if name)


def sections(generated: Generated, battlemap: BattleMap, lists: TableLists) -> Iterator[Section]:
    """Yield the lists of a table: the notes on its roll, and those asked for."""
    system = battlemap.system
    if generated.notes:
        yield Section("To be noted", [note.message for note in generated.notes])
    if lists.log and generated.log:
        yield Section("Dice", [line.text for line in generated.log])
    if lists.parts and system.offers(System.pieces):
        parts = system.pieces(battlemap.grid, battlemap.composite().planes)
        yield Section("To fetch", [f"{count} x {piece}" for piece, count in parts.items()])
    if lists.areas and system.offers(System.describe):
        # The layers without their rolls: else the text would have the dice, too.
        layers = [layer.copy(roll=None) for layer in battlemap.layers]
        described_map = BattleMap.new(system, battlemap.grid, layers, battlemap.terrain_set)
        map_format = format_named("text", system)
        if map_format is not None:
            lines = map_format.write(described_map).decode().splitlines()
            yield Section("What stands where", [line for line in lines if line])
