"""Prints the tables of a campaign: many random maps in one PDF, each with lists of its pieces.

A wargamer plays on a *table*, which a *roll* makes at random: it throws dice by the tables of a
rule book. For a campaign several are rolled at once, and each is printed with the dice that were
thrown and the terrain pieces to fetch. The dialog of tables and the command line make a
``Campaign`` and run ``tables_pdf``, where reading begins::

    campaign = campaign_of(battlemap, rolled_layer, first=1, count=4)
    pdf = run(tables_pdf(campaign, request, TableLists(areas=True)))
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer

from app.paper.columns import Section, columns_by_page, paint_columns
from app.paper.documents import pdf_writer
from app.paper.map_drawing import page_map
from app.paper.page_painter import PagePainter, SheetPage, map_pages
from app.paper.picture_request import PictureRequest
from app.paper.steps import Steps
from app.rolling.roll_setup import RollSetup
from app.scripts.script import setup_of_roll
from randomizer.catalog.map_formats import format_named
from randomizer.generator import Generating
from randomizer.generator_run import roll_steps
from randomizer.model.basics.plurals import counted, many
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan

USUAL_COUNT = 4
"""The number of tables if none is asked for."""

MAX_TABLES = 100
"""The largest number of tables."""

COUNT = Setting(
    "tables",
    int,
    help="How many maps are rolled",
    default=USUAL_COUNT,
    minimum=1,
    maximum=MAX_TABLES,
    title="N&umber of maps",
)
"""The setting of the number of tables."""

MAX_PAGES = 2000
"""The largest number of pages with maps, those with lists not counted."""

HEAD_MM = 9.0
"""The height of the room for the name of a table at the top of its pages, in millimetres.

Whoever makes the request for ``tables_pdf`` gives it this head.
"""


@dataclass(frozen=True, slots=True)
class TableLists:
    """The lists that are printed after each table."""

    log: bool = True
    """True to print the dice that were thrown, line by line."""

    parts: bool = True
    """True to print the terrain pieces to be fetched, and how many of each."""

    areas: bool = False
    """True to print what stands in each cell, row by row."""


def _list_setting(name: str, title: str) -> Setting:
    """Return the setting of a field of ``TableLists``; ``&`` marks the access key in a title."""
    default = getattr(TableLists(), name)
    return Setting(name, bool, title.replace("&", ""), default, title=title)


TABLE_LISTS = (
    _list_setting("log", "The &dice, line by line"),
    _list_setting("parts", "The pieces to &fetch"),
    _list_setting("areas", "What stands &where, row by row"),
)
"""The fields of ``TableLists`` as settings."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """Several tables that are rolled with the same settings and from the same seed."""

    setup: RollSetup
    """What rolls the tables, and with which settings."""

    key: DrawKey
    """The seed, and the number of the first table: each number of a seed gives another table."""

    base: Base
    """The grid, and the layers onto which all tables are rolled."""

    count: int
    """The number of tables."""

    own_number: int | None = None
    """The number of the table from which the settings were taken; None if they were chosen for all.

    Other tables are rolled without what belongs to that one alone (``settings_of_others``).
    """


def campaign_of(battlemap: BattleMap, layer: Layer, first: int, count: int) -> Campaign:
    """Return a campaign of tables like the one that a ``layer`` of a map holds.

    They are those with the numbers from ``first`` on of the same seed. The layers of the map below
    the rolled one lie below each table; those above it are left out.
    """
    assert layer.roll is not None, "a rolled layer was asked for"
    # A roll may consist of several layers, one above another: their positions, the lowest first.
    positions = parts_from(battlemap, layer.id)
    lowest_position = positions[0]
    # The layers below the lowest part are the base; the parts themselves are rolled anew.
    base = Base.under(battlemap, lowest_position, *positions)
    setup = setup_of_roll(layer.roll)
    key = DrawKey(layer.roll.seed, first)
    return Campaign(setup, key, base, count, own_number=layer.roll.number)


def plan_of(
    request: PictureRequest, battlemap: BattleMap, composite: Composite, count: int
) -> PagePlan:
    """Return how a map lies on its pages; ``count`` maps of the same size are to be printed.

    Raises ProblemError if the map does not fit on the paper as requested, and if all maps take more
    than ``MAX_PAGES``.
    """
    plan = request.plan(battlemap, composite)
    pages = plan.columns * plan.rows * count
    if pages > MAX_PAGES:
        raise error(
            "too-many-pages",
            f"{counted(count, 'such poster')} {many(count, 'has', 'have')} {pages:,} pages, "
            f"and {MAX_PAGES:,} are the most; "
            "choose fewer tables or a smaller size",
        )
    return plan


def tables_pdf(campaign: Campaign, request: PictureRequest, lists: TableLists) -> Steps:
    """Return the PDF of all tables of a campaign, and yield the percentage done while it is made.

    Each table is rolled, and its pages are painted, before the next one is rolled. ``request`` is
    one for pages of paper (``PictureRequest.plan``). Raises ProblemError for the first table that
    cannot be made.
    """
    generator, own_settings = campaign.setup.generator_for(campaign.base)
    settings_of_others: Mapping[str, object] = own_settings
    if campaign.own_number is not None:
        settings_of_others = generator.settings_of_others(own_settings)
    base = campaign.base
    count = campaign.count
    # The number of pages is checked before anything is rolled, by a blank map of the same size.
    # Its plan also says on which paper all tables are printed.
    blank = BattleMap.new(base.system, base.grid, terrain_set=base.terrain_set)
    plan = plan_of(request, blank, blank.composite(), count)

    buffer = QBuffer()
    writer = pdf_writer(buffer, f"{generator.metadata.name}, seed {campaign.key.seed}")
    key = campaign.key
    with closing(PagePainter(writer, plan.sheet)) as painter:
        for index in range(count):
            percent = 100 * index // count
            settings = settings_of_others
            if key.number == campaign.own_number:
                settings = own_settings
            work = roll_steps(generator, settings, key, base)
            generated = yield from _roll_at(percent, work)
            for page in table_pages(generated, campaign, request, lists, index):
                with closing(painter.steps(page)) as steps:
                    for _ in steps:
                        yield percent
            # Some numbers give no table, and rolling goes on to the next one that does. So the
            # number of this table may be larger than the one that was asked for.
            key = key._replace(number=generated.number + 1)
    return bytes(buffer.data().data())


def _roll_at(percent: int, work: Generating) -> Generator[int, None, Generated]:
    """Roll a table to its end and return it; yield the same ``percent`` after each step.

    It is ``yield from work``, but with other numbers: those of the roll are of one table.
    """
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
) -> Iterator[SheetPage]:
    """Yield the pages of the table with an ``index`` in the campaign.

    First come the pages with the map, then those with the lists.
    """
    base = campaign.base
    battlemap = BattleMap.new(
        base.system, base.grid, [base.as_layer(), *generated.layers], base.terrain_set
    )
    composite = battlemap.composite()
    heading = _heading(generated, battlemap, composite)
    if campaign.count > 1:
        heading = f"{index + 1} of {campaign.count}: {heading}"
    # Planned anew for each table: the legend, which is as long as the table has terrains, needs
    # room beside the map.
    plan = request.plan(battlemap, composite)
    drawn_map = page_map(request, plan, battlemap, composite)
    for paint_page in map_pages(drawn_map, plan, heading, overview=request.overview):
        yield SheetPage(plan.sheet, paint_page)
    for columns in columns_by_page(list(sections(generated, battlemap, lists)), plan.sheet):
        paint_list = partial(paint_columns, columns=columns, sheet=plan.sheet, heading=heading)
        yield SheetPage(plan.sheet, paint_list)


def _heading(generated: Generated, battlemap: BattleMap, composite: Composite) -> str:
    """Return the heading of a table: its title if it has one, and the name of its roll."""
    names = [battlemap.system.map_title(composite.properties)]
    if generated.layers:
        names.append(roll_name(generated.layers[0]))
    return ": ".join(name for name in names if name)


def sections(generated: Generated, battlemap: BattleMap, lists: TableLists) -> Iterator[Section]:
    """Yield the lists of a table: the notes on its roll if it has any, and those in ``lists``.

    Lists that the system of the map does not offer are left out.
    """
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
