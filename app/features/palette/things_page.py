"""The page of things: the kinds that can be placed, and a form for what is picked or placed.

The list of kinds (kind_list.py) follows from three sources: the kinds of the map, the *further*
kinds that only the installed game has, and what is typed into the filter (listed_kinds.py). After
any change of these ``_refresh`` brings the page up to date::

    all kinds, category, filter -> _list_kinds -> _update_rows -> _show_counts -> _show_looks
                                                  (only if they                -> _show_chosen
                                                  are other ones)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from app.features.palette.category_box import CategoryBox
from app.features.palette.kind_list import KIND, PICK_ONLY, KindList, Note
from app.features.palette.listed_kinds import OF_MAP, ListedKinds, list_kinds
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

MAX_ROWS = 300
"""The most kinds that the list shows; how many more there are is said below them."""

EXACT_NAME = "The whole name by which the game knows it, with its folders"
"""The tool tip of the rows that ask for a name."""

QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's name for the height of a widget that may be of any height."""


class _RowsContent(NamedTuple):
    """What the rows of the list are made of: with other content they are made again."""

    map_kinds: tuple[ThingKind, ...]
    """The kinds of the map."""

    listed: ListedKinds
    """The kinds to list, those beyond ``MAX_ROWS`` included."""


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
        self._further_kinds: tuple[ThingKind, ...] = ()
        """The kinds that the installed game has."""
        self._is_reading = False
        """True while the further kinds are being read."""
        self._lacks_game = False
        """True if the map is of a game of which nothing is installed here."""
        self._content = _RowsContent((), ListedKinds((), is_elsewhere=False))
        """What the rows were made of."""
        self._rows_are_outdated = True
        """True if the rows have to be made, even of the same content."""
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
        connect(self.filter.textChanged, self._on_filter)
        connect(self.filter.returnPressed, self._choose_first)
        connect(self.category.currentIndexChanged, self._refresh)
        connect(self.kinds.itemClicked, self._choose)
        connect(self.kinds.row_pressed, self._limit_form_height)
        connect(self.kinds.mouse_or_focus_left, self._unlimit_form_height)
        connect(self.kinds.itemActivated, self._choose)
        connect(self.kinds.currentItemChanged, self._on_current_row)
        connect(self._options.changed, self._on_options_changed)
        connect(self._options.form_asked, self._edit_form)
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self.filter.clear)
        connect(self._document.map_replaced, self._refresh)

    def _on_changed(self, region: Region) -> None:
        """Follow an edit that can have changed the kinds or the numbers of things, soon."""
        if region.things or region.structure or region.everything or region.records:
            self._refresh_timer.start(0)

    def _on_filter(self) -> None:
        """List the kinds with the words of the filter, from the first on, which Enter chooses."""
        self._refresh()
        self.kinds.scrollToTop()

    def _edit_form(self) -> None:
        """Give the form of the picked things the keyboard, where it can be seen."""
        if not self._document.picked:
            return
        self.form.show_things()
        self.form.label_focus.enter_label()
        self._form_area.ensureWidgetVisible(self.form.form.field(LABEL))

    # --- the kinds --------------------------------------------------------------------------

    def show_further(self, kinds: tuple[ThingKind, ...], *, reading: bool = False) -> None:
        """Offer these kinds, too, by categories: all that the installed game has.

        ``reading`` is True while they are not known yet.
        """
        system = self._document.battlemap.system
        self._lacks_game = not reading and system.lacks_game()
        if kinds is self._further_kinds and reading == self._is_reading:
            return
        self._further_kinds = kinds
        self._is_reading = reading
        self._rows_are_outdated = True  # kinds may have other pictures now
        self.category.offer_game(kinds)
        self._refresh()

    def _refresh(self) -> None:
        """Bring the page up to date: the category, the filter, the rows, and which is chosen."""
        map_kinds = kinds_of(self._document.battlemap)
        # The category and the filter are hidden where they are no help.
        self.category.setVisible(bool(self._further_kinds))
        self.filter.setVisible(bool(self._further_kinds) or len(map_kinds) >= FILTER_FROM)

        listed = self._list_kinds(map_kinds)
        has_other_kinds = map_kinds != self._content.map_kinds
        had_rows = bool(self._content.listed.kinds)
        if self.filter.text() and has_other_kinds and had_rows and not listed.kinds:
            # The kinds that the words of the filter had found are called otherwise now, or gone.
            # Without words the page is refreshed once more, by ``_on_filter``.
            self.filter.clear()
            return

        self._update_rows(_RowsContent(map_kinds, listed))
        self._show_counts()
        self._show_looks()
        self._show_chosen()

    def _update_rows(self, content: _RowsContent) -> None:
        """Make the rows again, which takes time, if their content or their looks have changed."""
        has_new_resolution = self.kinds.update_resolution()
        if content != self._content or has_new_resolution or self._rows_are_outdated:
            self._content = content
            self._rows_are_outdated = False
            self._make_rows()

    def _show_counts(self) -> None:
        """Show in the rows how many things of each kind and group are on the map."""
        counts_by_kind = visible_counts(self._document.battlemap)
        counts_by_group: Counter[str] = Counter()
        for kind in self._content.listed.kinds:
            counts_by_group[kind.group] += counts_by_kind[kind.name]
        self.kinds.show_counts(counts_by_kind, counts_by_group)

    def _list_kinds(self, map_kinds: tuple[ThingKind, ...]) -> ListedKinds:
        """Return the kinds to list, by the chosen category and the words of the filter."""
        category = OF_MAP
        if self._further_kinds:
            category = self.category.category
        words = self.filter.text().casefold().split()
        return list_kinds(map_kinds, self._further_kinds, category, words, self._typed_kind())

    def _typed_kind(self) -> ThingKind | None:
        """Return the kind whose exact name stands in the filter, whether the game has it or not.

        None if the system has no kind of such a name.
        """
        battlemap = self._document.battlemap
        return battlemap.system.thing_kind(battlemap, self.filter.text().strip())

    def _make_rows(self) -> None:
        """Make the rows of the list: the first kinds, and notes about those that are missing."""
        first_heading = ""
        listed = self._content.listed
        if listed.is_elsewhere:
            first_heading = f"None in {self.category.category}; found in:"
        self.kinds.make_rows(listed.kinds[:MAX_ROWS], first_heading, self._notes())

    def _notes(self) -> list[Note]:
        """Return notes on why a kind that somebody looks for may be missing."""
        notes = []
        further_count = len(self._content.listed.kinds) - MAX_ROWS
        if further_count > 0:
            notes.append(Note(f"{further_count:,} more: filter by another word"))
        if self._is_reading and self.filter.text():
            notes.append(Note("The installed game is being read..."))
        elif self.filter.text().strip() and not self._content.listed.kinds:
            notes.append(Note("Nothing here has these words."))
            if self._lacks_game:
                # One sentence in three rows, which are broken where it reads best.
                notes.append(Note("No installed game was found:", EXACT_NAME))
                notes.append(Note("an exact name can be typed,", EXACT_NAME))
                notes.append(Note("as structures/athen/fortress", EXACT_NAME))
        return notes

    def _show_looks(self) -> None:
        """Show each kind in the colour of the owner that a new thing of it gets."""
        listed_kinds = self._content.listed.kinds[:MAX_ROWS]
        for row, listed_kind in zip(self.kinds.rows, listed_kinds, strict=True):
            kind = with_players(listed_kind, self._content.map_kinds)
            owner = new_owner(kind, self._document.battlemap, self._options.owner)
            look = Look.of(kind, kind.name, owner, angle=0.0)._replace(size=1.0)
            tip = f"{kind.title} ({kind.name}): a click on the ground places one"
            owner_name = dict(kind.owners).get(owner, "")
            if owner_name and kind.new_owner is not NewOwner.NOBODY:
                tip += f" for {owner_name}"
            self.kinds.show_look(row, kind.name, look, tip)

    # --- the kind that is placed ------------------------------------------------------------

    def _on_options_changed(self) -> None:
        """Show another owner of new things, and another kind that is placed."""
        self._show_looks()
        self._show_chosen()

    def _show_chosen(self) -> None:
        """Choose the row of the kind that is placed; if nothing is placed, that of "Pick only"."""
        if self._options.thing is None:
            self.kinds.show_current(PICK_ONLY)
        else:
            self.kinds.show_current(self._options.thing.kind)

    def _choose_first(self) -> None:
        """Choose the first kind that has the words of the filter, as Enter in it does."""
        if self.kinds.rows:
            self._choose(self.kinds.rows[0])

    def _on_current_row(self, row: QListWidgetItem | None, _previous: object) -> None:
        """Choose a row that the keyboard came to; without the focus, the program set it."""
        if row is not None and self.kinds.hasFocus():
            self._choose(row)

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

    def _choose(self, row: QListWidgetItem) -> None:
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
            thing = Thing(0, name, x=0.0, y=0.0, angle=angle, owner=owner)  # not on the map yet
            self._options.choose(thing=thing)
        self._choose_tool("things")

    def _owner_of_new(self, name: str) -> int:
        """Return the owner of a new thing of the kind with this name."""
        battlemap = self._document.battlemap
        # The kind of the map is looked up, since one of the list knows no players.
        kind = battlemap.system.thing_kind(battlemap, name)
        if kind is None:
            kinds = self._content.listed.kinds
            kind = next((kind for kind in kinds if kind.name == name), None)
        if kind is None:
            return self._options.owner or NOBODY
        return new_owner(kind, battlemap, self._options.owner)
