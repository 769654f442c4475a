"""Tables for a campaign: many maps of one roll in one PDF, each with what it is laid by."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer

from app.paper.columns import Section, columns_steps, set_in_columns
from app.paper.export import Order, Steps, page_map, pdf_writer
from app.paper.page_painter import PagePainter, PaintPage, map_pages
from app.rolling.roll_request import Recipe
from app.scripts.shown_script import recipe_of_roll
from randomizer.catalog import format_named
from randomizer.generator import Base, DrawKey, Generated, Generating
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer, roll_name
from randomizer.model.layering import parts_from
from randomizer.model.plurals import counted, many
from randomizer.model.problems import error
from randomizer.model.setting import Setting

if TYPE_CHECKING:
    from app.paper.page_plan import Plan

TABLES, MOST_TABLES = 4, 100
"""How many maps are rolled if no number is asked for, and at most."""

MOST_PAGES = 2000
HEAD_MM = 9.0
"""What the name of a table takes at the top of its pages."""


@dataclass(frozen=True, slots=True)
class Along:
    """What goes along with a table: the dice, the pieces to fetch, what stands where."""

    log: bool = True
    parts: bool = True
    areas: bool = False


ALONG = tuple(
    Setting(name, bool, title.replace("&", ""), getattr(Along(), name), title=title)
    for name, title in (
        ("log", "The &dice, line by line"),
        ("parts", "The pieces to &fetch"),
        ("areas", "What stands &where, row by row"),
    )
)
"""The fields of ``Along`` as a person chooses them."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """``count`` maps of a recipe, from ``key`` on, onto what lies below (``base``, with locks)."""

    recipe: Recipe
    key: DrawKey
    base: Base
    count: int


def campaign_of(battlemap: BattleMap, layer: Layer, first: int, count: int) -> Campaign:
    """Maps like the one that a rolled layer is, from number ``first`` of its seed on.

    What lies below the roll lies below each; what lies above is of that one map.
    """
    assert layer.roll is not None, "a rolled layer was asked for"
    places = parts_from(battlemap, layer.id)
    base = Base.under(battlemap, places[0], *places)
    return Campaign(recipe_of_roll(layer.roll), DrawKey(layer.roll.seed, first), base, count)


def plan_of(order: Order, battlemap: BattleMap, count: int) -> Plan:
    """How each of so many maps lies on its pages. Raises ProblemError if they cannot."""
    plan = order.plan(battlemap)
    pages = plan.columns * plan.rows * count
    if pages > MOST_PAGES:
        raise error(
            "too-many-pages",
            f"{counted(count, 'such poster')} {many(count, 'has', 'have')} {pages:,} pages, "
            f"and {MOST_PAGES:,} are the most; "
            "choose fewer tables or a smaller size",
        )
    return plan


def tables_pdf(campaign: Campaign, order: Order, along: Along) -> Steps:
    """The PDF, table after table. Raises ProblemError for the first that cannot be made.

    ``order`` names a paper.
    """
    generator, settings = campaign.recipe.generator_for(campaign.base)
    base, count = campaign.base, campaign.count
    plan = plan_of(order, BattleMap.new(base.system, base.grid), count)
    buffer = QBuffer()
    writer = pdf_writer(buffer, f"{generator.metadata.name}, seed {campaign.key.seed}")
    key = campaign.key
    with closing(PagePainter(writer, plan.sheet)) as painter:
        for index in range(count):
            work = generator.generate(settings, key.checked(), base)
            made = yield from _while_at(100 * index // count, work)
            for page in table_pages(made, campaign, order, plan, along, index):
                with closing(painter.steps(page)) as steps:
                    for _ in steps:
                        yield 100 * index // count
            key = key._replace(number=made.number + 1)
    return bytes(buffer.data().data())


def _while_at(percent: int, work: Generating) -> Generator[int, None, Generated]:
    """What a generator makes, while so much of the whole is done."""
    with closing(work):
        while True:
            try:
                next(work)
            except StopIteration as end:
                made: Generated = end.value
                return made
            yield percent


def table_pages(
    made: Generated, campaign: Campaign, order: Order, plan: Plan, along: Along, index: int
) -> Iterator[PaintPage]:
    """The pages of one table: the map, then the lists that go along."""
    base = campaign.base
    battlemap = BattleMap.new(base.system, base.grid, [base.as_layer(), *made.layers])
    shown = battlemap.composite()
    names = [shown.title, *(roll_name(layer) for layer in made.layers[:1])]
    heading = ": ".join(name for name in names if name)
    if campaign.count > 1:
        heading = f"{index + 1} of {campaign.count}: {heading}"
    drawn = page_map(order, plan, battlemap, shown)
    yield from map_pages(drawn, plan, heading, overview=order.overview)
    for columns in set_in_columns(list(sections(made, battlemap, along)), plan.sheet):
        yield partial(columns_steps, columns=columns, sheet=plan.sheet, heading=heading)


def sections(made: Generated, battlemap: BattleMap, along: Along) -> Iterator[Section]:
    """The lists that a table has of what is to go along, and what is to be noted of its roll."""
    system = battlemap.system
    if made.notes:
        yield Section("To be noted", [note.message for note in made.notes])
    if along.log and made.log:
        yield Section("Dice", made.log)
    if along.parts and system.pieces is not None:
        parts = system.pieces(battlemap.grid, battlemap.composite().planes)
        yield Section("To fetch", [f"{count} x {piece}" for piece, count in parts.items()])
    if along.areas and system.describe is not None:
        bare = [layer.copy(roll=None) for layer in battlemap.layers]  # the dice are told above
        words = BattleMap.new(system, battlemap.grid, bare)
        known = format_named("text", system)
        if known is not None:
            lines = known.write(words).decode().splitlines()
            yield Section("What stands where", [line for line in lines if line])
