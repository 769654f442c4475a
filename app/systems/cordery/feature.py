"""Wires the dice panel of wargame tables to the desk: its map, its rolls and its status line.

``DiceController`` joins five objects that do not know each other: the panel, ``Throwing`` (the
choices of a map and the log of its dice), ``DiceEntry`` (dice entered by hand), ``SavedChoices``,
and the desk. It decides no rule of a table; it turns the signals of one into calls of another, and
tells the user what came of them. The functions above it are its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtWidgets import QMenu

from app.canvas.area_pick import AreaPick
from app.commands.commands import WHY
from app.desk.desk import Desk
from app.qt_guard import connect, later
from app.systems.cordery.area_menu import Area, AreaMenu
from app.systems.cordery.dice_entry import DiceEntry
from app.systems.cordery.dice_entry_strip import describe_die, describe_score
from app.systems.cordery.dice_panel import BOX, DICE, DicePanel
from app.systems.cordery.saved_choices import SavedChoices
from app.systems.cordery.throwing import ENTERING, Throwing
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.dialogs.problem_dialog import tell_problems
from app.widgets.layout.builders import plain_text
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Hit
from randomizer.model.problems import Problem
from randomizer.storage.disk.atomic import write_atomically
from randomizer.systems.cordery.choices import PARTS, SETTINGS, TITLES, Choices
from randomizer.systems.cordery.dice.throws import areas_in_name

if TYPE_CHECKING:
    from app.systems.cordery.dice_panel import DicePanel
    from randomizer.systems.cordery.choices import CountedRoute
    from randomizer.systems.cordery.dice_log import BuiltTable, LogEntry
    from randomizer.systems.cordery.table.table_words import Planes


Chosen = Mapping[str, object]
"""What was chosen, by the settings' names."""

UNKNOWN_DICE = (
    "These dice can only be read: what lies below them, or the program, has changed since. "
    "Throw again to play and decide them."
)
"""Told of lines of the log without planes (``LogEntry.planes``): their dice cannot be changed."""

MOST_NOTED = 2
"""The most problems of a roll that the status line names; the log has all."""


def describe_notes(problems: Sequence[Problem]) -> str:
    """Return the problems of a roll as one line for the status line; "" without any.

    Those of pieces that found no place on the table come first; their codes begin with "no-".
    """
    by_weight = sorted(problems, key=lambda problem: not problem.code.startswith("no-"))
    messages = [problem.message for problem in by_weight]
    sentences = [message[:1].upper() + message[1:] for message in messages[:MOST_NOTED]]
    further_problems = len(messages) - MOST_NOTED
    if further_problems > 0:
        sentences.append(f"{further_problems} more in the dice log.")
    return " ".join(sentences)


FOR_ENTERED_DICE = "It counts for the table of your own dice."
"""Told after a choice while the dice of a table are entered by hand, or are to be."""

LACKING_DICE = (
    "That takes dice which this table does not have: enter them, or stop entering to leave the "
    "table as it is."
)
"""Told after a choice for which further dice have to be entered by hand."""

NO_DIE_WANTED = (
    "No more dice are asked for. Digits do nothing until you click anywhere or press another key."
)
"""Told when a digit is typed after the last die."""

SHOWS_PANEL = "Randomize > Dice... shows the panel."
"""Told with the question for a die while the panel cannot be seen."""


def describe_choices(values: Chosen) -> str:
    """Return changed choices, one at least, as a sentence: "Rivers: 2."; of several the number."""
    if len(values) > 1:
        return f"{len(values)} choices changed."
    ((name, value),) = values.items()  # the only one
    setting = next(setting for setting in SETTINGS if setting.name == name)
    if name == BOX.name:
        return "Another box of pieces."
    title = setting.title.lstrip("0123456789 ")
    if setting.kind is bool:
        answer = "yes" if value else "no"
        return f"{title}: {answer}."
    if value == 0:
        return f"{title}: {setting.zero}."
    label = dict(setting.choices).get(str(value), str(value))
    return f"{title}: {label}."


def describe_parts(first: str) -> str:
    """Return a sentence that ``first`` and the parts after it are laid again; one of ``PARTS``."""
    if first == PARTS[0]:
        return "The whole table is laid again with the same dice."
    title = TITLES[first].lower()
    if first == PARTS[-1]:
        return f"Laid again with the same dice: {title}."
    return f"Laid again with the same dice: {title}, and what follows."


PARTS_AFTER = "The parts after it are laid again with the dice they have."
"""Told where a part is thrown again that is not the last one."""

OTHER_PARTS_STAY = (
    "the other parts keep theirs, and ask only for what they lack then. The table stays in sight "
    "until all are there; stop entering to leave it as it is."
)
"""Told, after a colon, while a part is thrown again by dice that are entered by hand."""

OTHER_PARTS = "The other parts keep their dice, and ask only for what they lack then."
"""Told of the button that begins that."""

DICE_WAIT = "A table waits for its dice: go on entering them, or drop them, first."
"""The reason why nothing else asks for one's own dice."""


def describe_throw(part: str, *, drops_dice: bool) -> str:
    """Return which part was thrown again, in sentences, and whether dice are dropped for that."""
    sentences = [f"Thrown again: {TITLES[part].lower()}."]
    if part != PARTS[-1]:
        sentences.append(PARTS_AFTER)
    if drops_dice:
        sentences.append("Your own dice for this part are dropped; Undo brings them back.")
    return " ".join(sentences)


def describe_next_throw(part: str, dice_to_drop: int) -> str:
    """Return what happens if the program throws a part again, in sentences.

    ``dice_to_drop`` is the number of throws of that part that are fixed by hand.
    """
    sentences = [f"Throw the dice for {TITLES[part].lower()} again."]
    if part != PARTS[-1]:
        sentences.append(PARTS_AFTER)
    if dice_to_drop:
        sentences.append("Your own dice for this part are dropped then.")
    return " ".join(sentences)


def describe_own_throw(part: str) -> str:
    """Return what happens if a part is thrown again by one's own dice, in sentences."""
    title = TITLES[part].lower()
    return f"Throw {title} again with your own dice: each is asked for at once. {OTHER_PARTS}"


THROW = "Throw the dice for a new table; it replaces the one thrown before"
"""The tip of the action that throws a table."""

PICK = "click its area, or go there with the arrow keys and press Enter (Esc: leave it)"
"""Told, after the name of a decision, while its area is to be picked on the map."""

FORM_DECISION = ""
"""Stands for the decision of the panel's form where the area of a decision is picked."""


class DiceController(QObject):
    """Joins the panel with the desk, and lives as long as the panel, which is its parent.

    A choice for a table that lies lays it again in a background job. What to tell of that is noted
    when it begins (``_news``, ``_lacking``) and told when the table is laid, or when the first die
    that it lacks is asked for.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._rolling = desk.rolling
        self.throw_action = _action("&Throw", THROW)
        self.back_action = _action("&Back", "The table before this one")
        self.forth_action = _action("&Forth", "The table after this one")
        actions = (self.throw_action, self.back_action, self.forth_action)
        self.panel = panel = DicePanel(self._rolling, actions)
        super().__init__(panel)
        for action in actions:
            action.setParent(panel)
        self.throwing = Throwing(desk.document, self._rolling, self)
        self.entry = DiceEntry(desk.document, self.throwing, self._rolling, self)
        self._pick = AreaPick(desk.canvas, self)
        self._picked_decision = FORM_DECISION
        """The name of the decision whose area is being picked on the map."""
        self._news = ""
        """The sentences to tell when the table is laid: what was chosen, and what follows."""
        self._lacking = ""
        """The sentences to tell instead if dice have to be entered for that; "" once told."""
        self._notes = ""
        """The problems of the last roll as a line, see ``describe_notes``."""
        self._asked: BuiltTable | None = None
        """The table so far while its next die is asked for."""
        self._asks_in_status_line = False
        """True while the status line asks for the next die, as the panel cannot be seen."""
        self._connect_actions()
        self.saved = SavedChoices(desk, panel, self.throwing, self)
        connect(self.saved.print_wanted, self._print)
        connect(self.saved.chosen, self._take)
        self._connect_choices()
        self._connect_log()
        self._connect_entry()
        self._show_choices()
        self._show_parts()
        self._show_waiting_dice()
        later(self, self._on_map)

    # --- throwing ---------------------------------------------------------------------------

    def _connect_actions(self) -> None:
        rolling = self._rolling
        connect(self.throw_action.triggered, lambda: rolling.roll())
        connect(self.back_action.triggered, lambda: rolling.step_back())
        connect(self.forth_action.triggered, lambda: rolling.step_forward())
        connect(rolling.enabled_changed, self._enable)
        self._enable()

    def _enable(self) -> None:
        """Enable the actions that can be done now; the others tell why not."""
        rolling = self._rolling
        has_generator = self.throwing.generator is not None
        self.panel.tabs.setEnabled(has_generator)  # it may stay open beside a map of another kind

        why_not_throw = ""
        tip = THROW
        if self.throwing.entering:
            why_not_throw = ENTERING
            tip = ENTERING
        self.throw_action.setEnabled(has_generator and not why_not_throw)
        self.throw_action.setProperty(WHY, why_not_throw)
        self.throw_action.setToolTip(plain_text(tip))

        reasons = {
            self.back_action: rolling.why_not_back(),
            self.forth_action: rolling.why_not_forward(),
        }
        for action, why_not in reasons.items():
            action.setEnabled(has_generator and not why_not and not rolling.slow)
            action.setProperty(WHY, why_not)

    # --- what is chosen ---------------------------------------------------------------------

    def _connect_choices(self) -> None:
        panel = self.panel
        throwing = self.throwing
        connect(panel.form.changed, self._choose)
        connect(panel.form.part_again, self._throw_again)
        connect(panel.form.part_shown, throwing.show_part)
        connect(panel.dice_form.changed, self._choose_dice)
        connect(panel.freed, self._free)
        connect(throwing.choices_changed, self._show_choices)
        connect(throwing.parts_changed, self._show_parts)

    def _show_choices(self) -> None:
        choices = self.throwing.choices
        self.panel.show_choices(choices, self.throwing.fixed)
        self.saved.show_dice()
        self._show_again_buttons()

    def _show_parts(self) -> None:
        self._show_again_buttons()
        self._enable()

    def _show_again_buttons(self) -> None:
        """Describe beside each part what happens if it is thrown again, or why it cannot be."""
        throwing = self.throwing
        has_own_dice = throwing.choices.dice == "typed"
        tips = {}
        for part in PARTS:
            if has_own_dice:
                tips[part] = describe_own_throw(part)
            else:
                tips[part] = describe_next_throw(part, len(throwing.fixed_dice_of(part)))
        why_not = ""
        if self.entry.is_asking:
            why_not = ENTERING
        elif self._own_dice_wait:
            why_not = DICE_WAIT
        self.panel.form.show_parts(throwing.parts(), tips, why_not)

    def _choose(self, name: str) -> None:
        """Choose what the form has for a setting."""
        self._take({name: self.panel.form.values()[name]})

    def _choose_dice(self, name: str) -> None:
        """Choose what the form of dice has for a setting.

        Who throws the dice changes nothing on a table that lies; entering of dice ends with it.
        """
        value = self.panel.dice_form.values()[name]
        if name != DICE.name:
            self._take({name: value})
            return
        self.entry.stop()
        self.throwing.choose(**{name: value})
        self._show_parts()

    def _take(self, values: Chosen) -> None:
        """Choose these values, lay a table that lies again with them, and tell it."""
        choices = self.throwing.choices
        changes = {name: value for name, value in values.items() if value != vars(choices)[name]}
        if not changes:
            self._show_choices()  # a box may have got another name
            return
        is_entry_begun = self.entry.is_asking or self.entry.waiting_dice is not None
        if is_entry_begun:
            self.throwing.choose(**changes)
            self.entry.renew()  # other dice may be asked for now
            self._desk.say(f"{describe_choices(changes)} {FOR_ENTERED_DICE}")
        elif not self.throwing.parts():
            self.throwing.choose(**changes)
        elif choices.dice == "typed" and not self.throwing.is_laid_by_hand:
            # The program threw the dice of this table: one's own are for another one.
            self.throwing.choose(**changes)
            self._desk.say(f"{describe_choices(changes)} {FOR_ENTERED_DICE}")
        else:
            self._lay_with_choices(changes)

    def _lay_with_choices(self, changes: Chosen) -> None:
        """Lay the table again from the first part that changed choices concern."""
        news = describe_choices(changes)
        part = Choices.of({**self.throwing.chosen, **changes}).first_part(changes)
        self._news = f"{news} {describe_parts(part)}"
        self._lacking = f"{news} {LACKING_DICE}"
        self.throwing.lay_with(part, {}, changes)
        if not (self._rolling.busy or self.entry.is_asking):
            self._forget_news()  # nothing is laid, and the reason was told

    def _throw_again(self, part: str) -> None:
        """Throw the dice of a part again, or ask for them, and lay it and the parts after it."""
        throwing = self.throwing
        is_throwing = self._rolling.busy
        if is_throwing or not throwing.has_fresh_log:
            return  # its dice are not known yet
        entries = [entry for entry in throwing.log if entry.part == part]
        # A hidden part has no lines in the log, and a line without planes does not know its dice.
        may_have_dice = any(entry.scores or entry.planes is None for entry in entries)
        if throwing.parts()[part].visible and not may_have_dice:
            self._desk.say(f"{TITLES[part]}: no dice are thrown for this part of the table.")
            return
        if throwing.choices.dice == "typed":
            self._throw_again_by_hand(part)
            return
        drops_dice = throwing.throw_again(part)
        if self._rolling.busy:  # else nothing is thrown, and the reason was told
            self._news = describe_throw(part, drops_dice=drops_dice)

    def _throw_again_by_hand(self, part: str) -> None:
        """Ask for the dice of a part; the table stays in sight until they are there."""
        throwing = self.throwing
        has_unknown_dice = any(entry.planes is None for entry in throwing.log)
        if has_unknown_dice and not throwing.is_laid_by_hand:
            self._desk.say(UNKNOWN_DICE)
            return
        title = TITLES[part].lower()
        self._lacking = f"Your own dice for {title}: {OTHER_PARTS_STAY}"
        self.entry.throw_again(part)

    def _free(self, names: tuple[str, ...]) -> None:
        """Free dice or decisions that are fixed by hand, and lay the table without them."""
        decisions = dict.fromkeys(names, "")
        if self.entry.is_asking or self.throwing.why_not():
            self.throwing.fix(decisions)
            self.entry.renew()
        else:
            self.throwing.lay_with(self._part_of(names), decisions, {})

    def _part_of(self, names: tuple[str, ...]) -> str:
        """Return the part of the page that asks for the first of some dice or decisions."""
        for entry in self.throwing.log:
            names_of_entry = {name for name, _scores in entry.scores}
            names_of_entry |= {decision.name for decision in entry.line.decisions}
            if names_of_entry & set(names):
                return entry.part
        return PARTS[0]  # the whole table is laid then

    # --- the log ----------------------------------------------------------------------------

    def _connect_log(self) -> None:
        panel = self.panel
        connect(self.throwing.log_changed, self._show_log)
        connect(panel.log.pointed, self._point)
        connect(panel.log.chosen, self._choose_line)
        connect(panel.player.line_shown, self._show_line)
        connect(panel.fix_form.decided, self._decide)
        connect(panel.fix_form.pick_wanted, lambda: self._pick_area(FORM_DECISION))
        connect(self._desk.cell_menu_made, self._add_to_menu)
        connect(self._rolling.reported, self._on_reported)
        connect(self._rolling.finished, self._on_finished)
        connect(self._rolling.failed, self._forget_news)
        connect(self._pick.picked, self._on_picked)
        document = self._desk.document
        connect(document.map_replaced, self._pick.leave)
        connect(document.changed, lambda _region: self._pick.leave())
        connect(panel.save_wanted, self._save_log)
        connect(panel.print_wanted, lambda: self._print("Dice log", self._log_text()))
        connect(self._desk.canvas.hovered, self._on_hovered)

    def _on_map(self) -> None:
        """Show the choices for a table where nothing was thrown.

        If it was made for dice that are entered by hand, and none is yet, ask for the first one.
        """
        if self.throwing.parts():
            return
        self.panel.tabs.setCurrentIndex(0)
        dice = self.throwing.entered_dice()
        if dice is not None and dice.count == 0:
            self._begin_entry()

    def _show_log(self) -> None:
        if self.entry.under_way:
            return
        self._show_lines([str(entry.line) for entry in self.throwing.log])

    def _show_lines(self, lines: list[str]) -> None:
        panel = self.panel
        if lines != panel.log.lines():
            panel.fix_form.hide()
            panel.log.set_lines(lines)
        # The player shows the table after each line, which takes the planes of all of them.
        if all(entry.planes is not None for entry in self.throwing.log):
            panel.player.set_count(len(self.throwing.log), "")
        else:
            panel.player.set_count(0, UNKNOWN_DICE)
        for button in (panel.copy_button, panel.save_button, panel.print_button):
            button.setEnabled(bool(lines))

    @property
    def _shown_log(self) -> tuple[LogEntry, ...]:
        """The entries of the log that is shown: of the table so far while dice are entered."""
        if self._asked is not None:
            return self._asked.entries
        return self.throwing.log

    def _cells_of_line(self, row: int) -> frozenset[int]:
        """Return the areas of a line of the log; -1: those that the next die is about."""
        log = self._shown_log
        if 0 <= row < len(log):
            return frozenset(log[row].line.cells)
        if self._asked is None or self._asked.next_die is None:
            return frozenset()
        return self._areas_in(self._asked.next_die.name)

    def _areas_in(self, name: str) -> frozenset[int]:
        """Return the cells of the areas that a die's name has, as "river 1 entry area 0601"."""
        area_names = set(areas_in_name(name))
        if not area_names:
            return frozenset()
        cells = range(self._desk.document.battlemap.grid.size)
        return frozenset(cell for cell in cells if self._name_of(cell) in area_names)

    def _point(self, row: int) -> None:
        """Mark the areas of a line of the log on the map, as ``_cells_of_line``."""
        self._desk.canvas.overlays.mark_cells(self._cells_of_line(row))

    def _on_hovered(self, hit: Hit | None) -> None:
        """Mark the lines of the log that are about the area under the pointer."""
        if not self.panel.log.isVisible() or self.panel.player.shown >= 0:
            return
        rows = []
        if hit:
            for row, entry in enumerate(self._shown_log):
                if hit.cell in entry.line.cells:
                    rows.append(row)
        self.panel.log.mark(rows)

    def _choose_line(self, row: int) -> None:
        """Open the form in which the dice and decisions of a line can be fixed."""
        if 0 <= row < len(self.throwing.log) and not self.entry.under_way:
            entry = self.throwing.log[row]
            self.panel.fix_form.show_line(entry, self.throwing.fixed)
            if entry.planes is None:
                self._desk.say(UNKNOWN_DICE)

    @property
    def _own_dice_wait(self) -> bool:
        """True if other dice entered now would take the place of those that the map keeps."""
        is_by_hand = self.throwing.choices.dice == "typed"
        return is_by_hand and self.entry.waiting_dice is not None

    def _decide(self, values: dict[str, str]) -> None:
        """Lay the table with dice or decisions fixed by hand, by name; "" frees one."""
        self.panel.fix_form.hide()
        if values and self._own_dice_wait:
            self._desk.say(DICE_WAIT)
        elif values:
            self.throwing.lay_with(self._part_of(tuple(values)), values, {})

    def _let_enter(self, route: CountedRoute, area: str) -> None:
        """Lay the table with one more route of a kind, which enters at the area of this name."""
        if self._own_dice_wait:
            self._desk.say(DICE_WAIT)
            return
        number = route.number + 1
        entry = {f"{route.noun} {number} entry at": area}
        self.throwing.lay_with(route.part, entry, {route.setting: number})

    def _on_reported(self, problems: tuple[Problem, ...]) -> None:
        self._notes = describe_notes(problems)

    def _on_finished(self) -> None:
        """Tell what was laid, and the problems of it.

        If the table is being laid once more, for what was chosen meanwhile, this waits for that.
        """
        if self.throwing.generator is None or self._rolling.busy:
            return
        text = f"{self._news} {self._notes}".strip()
        self._forget_news()
        if text:
            self._desk.say(text)

    def _forget_news(self) -> None:
        self._news = ""
        self._lacking = ""

    def _name_of(self, cell: int) -> str:
        battlemap = self._desk.document.battlemap
        return battlemap.system.cell_name(battlemap.grid, cell)

    def _add_to_menu(self, menu: QMenu, cell: int) -> None:
        """Add the decisions about an area to its menu on the map."""
        if self.entry.under_way:
            return
        grid = self._desk.document.battlemap.grid
        is_at_rim = len(grid.neighbours(cell)) < grid.degree
        area = Area(cell, self._name_of(cell), is_at_rim)
        area_menu = AreaMenu(
            self.throwing.log,
            self.throwing.fixed,
            self._name_of,
            self._decide,
            self._pick_area,
            self.throwing.choices.routes,
            self._let_enter,
        )
        area_menu.add_to(menu, area)

    def _pick_area(self, decision: str) -> None:
        """Let the user pick the area of a decision on the map; ``_on_picked`` takes it.

        ``decision`` is its name, or ``FORM_DECISION``.
        """
        self._picked_decision = decision
        if decision == FORM_DECISION:
            request = PICK
        else:
            request = f"{decision}: {PICK}"
        self._desk.say(request[:1].upper() + request[1:])
        self._pick.begin()

    def _on_picked(self, cell: int) -> None:
        """Take the picked area for the decision; -1: the user picked none."""
        self._desk.say("")  # the request to pick one
        area_name = ""
        if cell >= 0:
            area_name = self._name_of(cell)
        decision = self._picked_decision
        self._picked_decision = FORM_DECISION
        if decision == FORM_DECISION:
            self.panel.fix_form.put_area(area_name)
        elif area_name:
            self._decide({decision: area_name})

    def _show_line(self, row: int) -> None:
        """Show the table as it was after a line; -1: as it is."""
        log = self.throwing.log
        if not 0 <= row < len(log):
            self._desk.canvas.show_instead(None)
            self._point(-1)
            return
        self._show_planes(log[row].planes)
        self._point(row)
        self.panel.log.show_line(row)
        scores_of_line: list[int] = []
        for _name, scores in log[row].scores:
            scores_of_line += scores
        self.panel.player.faces.show_scores(scores_of_line)

    def _show_planes(self, planes: Planes | None) -> None:
        """Show a table with these planes in place of the map; None: the map itself."""
        canvas = self._desk.canvas
        if planes is None:
            canvas.show_instead(None)
        else:
            canvas.show_instead(replace(self._desk.document.composite, planes=dict(planes)))

    def _log_text(self) -> str:
        return "\n".join(self.panel.log.lines()) + "\n"

    async def _save_log(self) -> None:
        text = self._log_text()  # the dice that are seen when it is asked for
        frame = self._desk.frame
        settings = self._desk.settings
        start = Path(settings.last_directory) / "dice.txt"
        chosen = await choose_file_to_write(frame, "Save the dice log", start)
        if chosen is not None:
            settings.last_directory = str(chosen.path.parent)
            with tell_problems(frame, "Not saved"):
                write_atomically(chosen.path, text.encode())

    def _print(self, name: str, text: str) -> None:
        from app.paper.printing import ask_for_printer

        def chosen(printer) -> None:  # type: ignore[no-untyped-def]
            document = QTextDocument()
            document.setPlainText(text)
            document.print_(printer)

        ask_for_printer(name, self._desk.frame, chosen)

    # --- dice entered by hand ---------------------------------------------------------------

    def _connect_entry(self) -> None:
        strip = self.panel.strip
        entry = self.entry
        connect(self.throwing.entry_wanted, self._enter_changes)
        connect(entry.asked, self._ask)
        connect(entry.ended, self._end_entry)
        connect(entry.refused, self._tell_refusal)
        connect(entry.laid, self._note_entered_dice)
        connect(entry.waiting_changed, self._show_waiting_dice)
        connect(self.throwing.dice_wanted, self._begin_entry)
        connect(self.throwing.unreadable, self._desk.say)
        connect(self.panel.enter_button.clicked, entry.throw)
        connect(strip.entered, entry.enter)
        connect(strip.taken_back, entry.take_back)
        connect(strip.ended, self._stop_entry)
        connect(strip.surplus_digit, self._say_that_no_die_is_asked_for)
        connect(strip.impossible_score, lambda: self._desk.say("A die shows 1 to 6."))
        connect(self.panel.waiting.accepted, entry.go_on)
        connect(self.panel.drop_button.clicked, lambda _checked: self._drop_dice())
        connect(self._desk.document.map_replaced, entry.leave)
        connect(self._desk.document.map_replaced, self._on_map)
        connect(self._desk.document.changed, entry.follow)
        dock = self._desk.docks["dice"]
        connect(dock.visibilityChanged, lambda _visible: later(self, self._ask_in_status_line))
        for widget in (self._desk.canvas, self.panel.log, self.panel):
            strip.take_digits_of(widget)

    def _enter_changes(self) -> None:
        """Ask for the dice of a changed table, which are entered by hand."""
        self.entry.change(self.throwing.take_previous_choices())

    def _ask(self, built: BuiltTable) -> None:
        """Ask for the next die of a table that is built so far; it must lack one."""
        assert built.next_die is not None
        self._asked = built
        self._desk.docks.room.asking_dock = "dice"
        self._tell_why_dice_are_asked_for()
        self._show_unfinished_table(built)
        replaces_table = bool(self.throwing.parts()) and not self.entry.dice.changes_table
        self.panel.strip.ask(built.next_die, self.entry.dice, replaces_table=replaces_table)
        self._ask_in_status_line()

    def _tell_why_dice_are_asked_for(self) -> None:
        """Tell once, with the first question, what the dice are for."""
        if self._lacking:
            self._desk.say(self._lacking)
            self._lacking = ""

    def _show_unfinished_table(self, built: BuiltTable) -> None:
        """Show the log of a table so far, and the table.

        The table that lies stays in sight while it is changed, and until the first die of a new
        one is there.
        """
        panel = self.panel
        panel.player.set_count(0)
        panel.fix_form.hide()
        panel.tabs.setCurrentIndex(1)
        panel.log.set_lines([str(entry.line) for entry in built.entries])
        panel.log.scrollToBottom()
        dice = self.entry.dice
        if dice.changes_table or dice.count == 0:
            self._show_planes(None)
        else:
            self._show_planes(built.planes)
        self._point(-1)

    def _ask_in_status_line(self) -> None:
        """Ask for the next die in the status line while the panel cannot be seen."""
        die = None
        if self._asked is not None:
            die = self._asked.next_die
        is_panel_visible = self._desk.docks.is_in_front("dice")
        if die is not None and not is_panel_visible:
            score = describe_score(die, len(self.entry.dice.together))
            text = f"{describe_die(die)}, and press {score}, 1 to 6. {SHOWS_PANEL}"
            self._desk.say(text, lasting=True)
            self._asks_in_status_line = True
        elif self._asks_in_status_line:
            self._asks_in_status_line = False
            self._desk.say("")

    def _begin_entry(self) -> None:
        """Ask for the dice of a table; a key may want that, so the panel comes to the front."""
        self._desk.docks.show("dice")
        self.entry.throw()

    def _stop_entry(self) -> None:
        """Ask for no more dice, and tell what became of those that were entered."""
        is_change = self.entry.dice.changes_table
        self.entry.stop()
        self._news = ""
        dice = self.entry.waiting_dice
        if is_change:
            self._desk.say("The table stays as it was.")
        elif dice is not None:
            self._desk.say(
                f"The table is not laid yet: the map keeps the {counted(dice.count, 'die', 'dice')}"
                " that you entered. Go on entering asks for the rest."
            )

    def _drop_dice(self) -> None:
        self.entry.drop()
        self._desk.say("The dice that you entered are dropped; Undo brings them back.")

    def _tell_refusal(self, reason: str) -> None:
        self.panel.strip.hold_digits()  # as after the last die: the hand may be typing still
        self._desk.say(reason)

    def _say_that_no_die_is_asked_for(self) -> None:
        self._desk.say(NO_DIE_WANTED)

    def _note_entered_dice(self, count: int) -> None:
        """Note what to tell of a table that is being laid by ``count`` entered dice.

        With 0 all of its dice were known before, and what was noted then is told.
        """
        if count:
            self.panel.strip.hold_digits()
            if count == 1:
                self._news = "Your die is there: the table is laid."
            else:
                self._news = f"All your {count} dice are there: the table is laid."

    def _show_waiting_dice(self) -> None:
        """Offer to go on with a table of which some dice were entered."""
        self._show_again_buttons()
        dice = self.entry.waiting_dice
        self.panel.enter_button.setEnabled(dice is None and not self.entry.is_asking)
        if dice is None:
            self.panel.waiting.say("")
            return
        subject = "A table"
        if dice.changes_table:
            subject = "A change of the table"
        if 0 < dice.expected <= dice.count:  # it was laid, and that was undone
            text = f"{subject} is not laid; its {dice.count} dice are kept in the map."
            button_text = f"Lay it ({dice.count} dice)"
        else:
            entered = f"{dice.progress} are entered, and kept in the map"
            text = f"{subject} waits for its dice: {entered}."
            button_text = f"Go on entering ({dice.progress})"
        self.panel.waiting.say(text)
        self.panel.waiting.button.setText(button_text)

    def _end_entry(self) -> None:
        """Show the map and the log of its table again: no die is asked for any more."""
        self._lacking = ""
        self._asked = None
        self._desk.docks.room.asking_dock = ""
        self._ask_in_status_line()  # clears the question
        self._point(-1)
        strip = self.panel.strip
        if strip.hasFocus():
            self.panel.log.setFocus()  # Qt would choose a field, into which one types by mistake
        strip.hide()
        self._desk.canvas.show_instead(None)
        self._show_log()


def _action(text: str, tip: str) -> QAction:
    action = QAction(text)
    action.setStatusTip(tip)
    action.setToolTip(plain_text(tip))
    return action


def make(desk: Desk) -> DicePanel:
    """Return the panel, wired to the desk."""
    return DiceController(desk).panel
