"""The page of things: the kinds that can be placed, and a form for what is picked or placed.

    category, filter     what the user looks for
    kinds                the kinds that have it (list_content.py), as rows (kind_list.py)
    form                 the picked things, or the thing that a click on the map places next

``_refresh`` brings the list up to date after a change of the map, of the category or filter, or of
what is known of the installed game. Its rows are made again only if their content is another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from app.features.palette.category_box import CategoryBox
from app.features.palette.kind_list import KIND, PICK_ONLY, KindList
from app.features.palette.list_content import (
    GameKinds,
    GameState,
    ListContent,
    Query,
    list_content,
)
from app.features.palette.listed_kinds import OF_MAP
from app.features.palette.new_owner import NOBODY, new_owner, with_players
from app.features.palette.thing_form import ThingForm
from app.features.palette.thing_settings import LABEL
from app.qt_guard import connect
from app.render.scene.things.looks import Look
from app.widgets.forms.folded_form import ScrolledRows
from app.widgets.layout.builders import described, lay_out
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_of, visible_counts
from randomizer.model.things.thing_kind import NewOwner, ThingKind
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions

FILTER_FROM = 12
"""The number of kinds from which on there is a line to filter them by."""

ID_OF_NEW = 0
"""The id of a thing that is not on a map yet: the map gives it another one."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""


class ThingsPage(QWidget):
    """The kinds of things of the current map; a click on one chooses it and the tool of things.

    ``choose_tool`` is called with the tool's name.
    """

    def __init__(
        self, document: MapDocument, options: ToolOptions, choose_tool: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._document = document
        self._options = options
        self._choose_tool = choose_tool
        self._game = GameKinds((), GameState.READ)
        """What is known of the installed game of the map."""
        self._map_kinds: tuple[ThingKind, ...] = ()
        """The kinds of the map, as they were when the list was last refreshed."""
        self._content: ListContent | None = None
        """What the rows of the list were made of; None before they are first made."""
        self._refresh_timer = QTimer(self, singleShot=True)
        """Runs from a change of the map until the list shows it."""
        self._make_widgets()
        self._connect()
        self._refresh()

    def _make_widgets(self) -> None:
        """Make the choice of a category, the filter, the list and the form, one below the other."""
        self.filter = described(QLineEdit(), "Filter kinds of things")
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.category = CategoryBox()
        self.kinds = described(KindList(), "Kinds of things", "What a click on the ground places")
        self.form = ThingForm(self._document, self._options)
        self._form_area = ScrolledRows(self.form)
        lay_out(
            QVBoxLayout(self),
            self.category,
            self.filter,
            (self.kinds, 1),
            self._form_area,
            margins=(1, 4, 1, 4),
        )
        self.setAccessibleName("Things")

    def _connect(self) -> None:
        """Connect the widgets, the map and the options of tools with what follows them."""
        connect(self._refresh_timer.timeout, self._refresh)
        connect(self.filter.textChanged, self._on_filter_changed)
        connect(self.filter.returnPressed, self._place_first_kind)
        connect(self.category.currentIndexChanged, self._refresh)
        connect(self.kinds.itemClicked, self._place_kind_of_row)
        connect(self.kinds.itemActivated, self._place_kind_of_row)
        connect(self.kinds.currentItemChanged, self._on_current_row_changed)
        connect(self.kinds.row_pressed, self._limit_form_height)
        connect(self.kinds.mouse_or_focus_left, self._unlimit_form_height)
        connect(self._options.changed, self._on_options_changed)
        connect(self._options.form_asked, self._focus_label)
        connect(self._document.changed, self._on_map_changed)
        connect(self._document.map_replaced, self.filter.clear)
        connect(self._document.map_replaced, self._refresh)

    # --- when the list changes --------------------------------------------------------------

    def offer_game_kinds(self, game: GameKinds) -> None:
        """Offer the kinds of the installed game, too, by categories."""
        if game == self._game:
            return
        self._game = game
        self.category.offer_game(game.kinds)
        self._refresh()

    def _on_map_changed(self, region: Region) -> None:
        """Refresh the list soon after an edit that can change the kinds or numbers of things."""
        if region.things or region.structure or region.everything or region.records:
            self._refresh_timer.start(0)

    def _on_filter_changed(self) -> None:
        """List the kinds with the words of the filter, from the first on, which Enter places."""
        self._refresh()
        self.kinds.scrollToTop()

    def _on_options_changed(self) -> None:
        """Show another owner of new things, and another kind that is placed."""
        self._show_looks()
        self._mark_placed_kind()

    # --- the list ---------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Bring the category, the filter and the list up to date."""
        map_kinds = kinds_of(self._document.battlemap)
        # The category and the filter are hidden where they are no help. A filter with a text stays,
        # so that it can be cleared.
        has_game_kinds = bool(self._game.kinds)
        has_many_kinds = has_game_kinds or len(map_kinds) >= FILTER_FROM
        self.category.setVisible(has_game_kinds)
        self.filter.setVisible(has_many_kinds or bool(self.filter.text()))

        content = list_content(self._document.battlemap, map_kinds, self._game, self._query())
        if self._filter_is_outdated(map_kinds, content):
            self._map_kinds = map_kinds
            self.filter.clear()  # this refreshes the page: see ``_on_filter_changed``
            return
        self._map_kinds = map_kinds
        self._make_rows(content)
        self._show_counts()
        self._show_looks()
        self._mark_placed_kind()

    def _query(self) -> Query:
        """Return what the user looks for."""
        category = OF_MAP
        if self._game.kinds:
            category = self.category.category
        return Query(category, self.filter.text().strip())

    def _filter_is_outdated(self, map_kinds: tuple[ThingKind, ...], content: ListContent) -> bool:
        """Return whether the filter has only found kinds that the map has no more.

        They have other names now, for instance, or the map is another one.
        """
        if not self.filter.text() or map_kinds == self._map_kinds:
            return False
        had_kinds = self._content is not None and bool(self._content.kinds)
        return had_kinds and not content.kinds

    def _make_rows(self, content: ListContent) -> None:
        """Make the rows again, which takes time, if they or the resolution are other ones."""
        has_new_resolution = self.kinds.update_resolution()
        if content != self._content or has_new_resolution:
            self._content = content
            self.kinds.make_rows(content)

    def _listed_content(self) -> ListContent:
        """Return what the rows of the list were made of."""
        assert self._content is not None, "the rows are made by the constructor"
        return self._content

    def _show_counts(self) -> None:
        """Show in the rows how many things of each kind and group are on the map."""
        counts_by_kind = visible_counts(self._document.battlemap)
        counts_by_group: Counter[str] = Counter()
        for kind in self._listed_content().kinds:
            counts_by_group[kind.group] += counts_by_kind[kind.name]
        self.kinds.show_counts(counts_by_kind, counts_by_group)

    def _show_looks(self) -> None:
        """Show each kind in the colour of the owner that a new thing of it gets."""
        row_kinds = self._listed_content().row_kinds
        for row, listed_kind in zip(self.kinds.rows, row_kinds, strict=True):
            kind = with_players(listed_kind, self._map_kinds)
            owner = new_owner(kind, self._document.battlemap, self._options.owner)
            # All pictures in the list have one size, so that kinds of any size can share them.
            look = Look.of(kind, kind.name, owner, angle=0.0)._replace(size=1.0)
            tip = f"{kind.title} ({kind.name}): a click on the ground places one"
            owner_name = dict(kind.owners).get(owner, "")
            if owner_name and kind.new_owner is not NewOwner.NOBODY:
                tip += f" for {owner_name}"
            self.kinds.show_look(row, kind.name, look, tip)

    def _mark_placed_kind(self) -> None:
        """Highlight the row of the kind that is placed; if none is, that of "Pick only"."""
        if self._options.thing is None:
            self.kinds.show_current(PICK_ONLY)
        else:
            self.kinds.show_current(self._options.thing.kind)

    # --- the kind that is placed ------------------------------------------------------------

    def _place_first_kind(self) -> None:
        """Place the first kind that has the words of the filter, as Enter in it does."""
        if self.kinds.rows:
            self._place_kind_of_row(self.kinds.rows[0])

    def _on_current_row_changed(self, row: QListWidgetItem | None, _previous: object) -> None:
        """Place the kind of a row that the keyboard came to."""
        # Without the focus it was not the keyboard but the program that changed the row.
        if row is not None and self.kinds.hasFocus():
            self._place_kind_of_row(row)

    def _place_kind_of_row(self, row: QListWidgetItem) -> None:
        """Place the kind of a row from now on; nothing happens for a heading or a note."""
        name = row.data(KIND)
        if name == PICK_ONLY:
            self._options.choose(thing=None)
            self._choose_tool("things")
        elif name is not None:
            self.choose_kind(name)

    def choose_kind(self, name: str) -> None:
        """Place the kind of this name from now on, with the angle of the thing placed before."""
        old_thing = self._options.thing
        self._document.pick(())  # the form shows the thing that is placed next
        if old_thing is None or old_thing.kind != name:
            angle = 0.0
            if old_thing is not None:
                angle = old_thing.angle
            owner = self._owner_of_new(name)
            new_thing = Thing(ID_OF_NEW, name, x=0.0, y=0.0, angle=angle, owner=owner)
            self._options.choose(thing=new_thing)
        self._choose_tool("things")

    def _owner_of_new(self, name: str) -> int:
        """Return the owner of a new thing of the kind with this name."""
        battlemap = self._document.battlemap
        # The kind of the map is looked up, since one of the list knows no players.
        kind = battlemap.system.thing_kind(battlemap, name)
        if kind is None:
            listed_kinds = self._listed_content().kinds
            kind = next((kind for kind in listed_kinds if kind.name == name), None)
        if kind is None:
            return self._options.owner or NOBODY
        return new_owner(kind, battlemap, self._options.owner)

    # --- the form ---------------------------------------------------------------------------

    def _focus_label(self) -> None:
        """Give the label in the form of the picked things the keyboard, where it can be seen."""
        if not self._document.picked:
            return
        self.form.show_things()
        self.form.label_focus.enter_label()
        self._form_area.ensureWidgetVisible(self.form.form.field(LABEL))

    def _limit_form_height(self, row: QListWidgetItem) -> None:
        """Make the form no higher than what is left below a row of the list.

        The form of the kind that is pressed can be a higher one. It would make the list lower, and
        the row would move away from below the mouse. The limit holds until the mouse or the
        keyboard leaves the list.
        """
        row_bottom = self.kinds.visualItemRect(row).bottom() + 1 + 2 * self.kinds.frameWidth()
        page_layout = self.layout()
        assert page_layout is not None
        bottom_margin = page_layout.contentsMargins().bottom() + page_layout.spacing()
        height = self.height() - self.kinds.y() - row_bottom - bottom_margin
        self._form_area.setMaximumHeight(max(0, height))

    def _unlimit_form_height(self) -> None:
        """Let the form have any height again, once the mouse and the keyboard left the list."""
        self._form_area.setMaximumHeight(QWIDGETSIZE_MAX)
