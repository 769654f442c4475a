"""The messages of the desk about a table and its dice.

``DiceController`` and the other controllers of the panel show them in the status line and in tips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.systems.cordery.dice_panel import BOX
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem
from randomizer.systems.cordery.choices import PARTS, SETTINGS, TITLES
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

Chosen = Mapping[str, object]
"""Chosen values of settings, by the settings' names."""

MOST_NOTED = 2
"""The most problems of a roll that the status line names which are not in the log."""

NOT_LOGGED = ("not-in-box", "decision-unused")
"""The codes of problems that have no line in the dice log."""

MOST_LETTERS = 90
"""The letters for which the status line has room in a window of 1280 pixels."""


def describe_notes(problems: Sequence[Problem], letters_before: int) -> str:
    """Return the problems of a roll as one line for the status line; "" without any.

    What the dice log explains is only counted where the line has no room for it after
    ``letters_before`` letters.
    """
    sentences = []
    logged_messages = [problem.message for problem in problems if problem.code not in NOT_LOGGED]
    logged_text = "".join(logged_messages)
    if len(logged_messages) == 1 and letters_before + len(logged_text) <= MOST_LETTERS:
        sentences.append(logged_text[:1].upper() + logged_text[1:])
    elif logged_messages:
        sentences.append(f"{counted(len(logged_messages), 'note')}: see the dice log.")

    messages = [problem.message for problem in problems if problem.code in NOT_LOGGED]
    sentences += [message[:1].upper() + message[1:] for message in messages[:MOST_NOTED]]
    further_problems = len(messages) - MOST_NOTED
    if further_problems > 0:
        sentences.append(f"{further_problems} more.")
    return " ".join(sentences)


FOR_ENTERED_DICE = "It counts for the table of your own dice."
"""Told after a choice while the dice of a table are entered by hand, or are to be."""

FOR_NEXT_THROW = "It counts for the next throw; until then it is no step of Undo."
"""Told after a choice where nothing was thrown."""

FREED_FOR_NEXT_THROW = (
    "The map stays as it is; the dice decide again with the next throw. That is no step of Undo."
)
"""Told after what was fixed by hand is freed, where the dice are entered by hand."""

LACKING_DICE = (
    "That takes dice which this table does not have: enter them, or stop entering to leave the "
    "table as it is."
)
"""Told after a choice for which further dice have to be entered by hand."""


def describe_choices(values: Chosen) -> str:
    """Return a sentence about changed choices, of which there is at least one: "Rivers: 2."

    For several it tells only their number.
    """
    if len(values) > 1:
        return f"{len(values)} choices changed."
    ((name, value),) = values.items()  # the only one
    setting = next(setting for setting in SETTINGS if setting.name == name)
    if name == BOX.name:
        return "Another box of pieces."
    title = setting.title.lstrip("0123456789 ")
    if setting.kind is bool and value:
        return f"{title}: yes."
    if setting.kind is bool:
        return f"{title}: no."
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
    "the parts after it are laid again with the dice they have, and ask only for what they lack. "
    "Stop entering leaves the table as it was."
)
"""Told, after a colon, while a part is thrown again by dice that are entered by hand."""

PAINTED_GROUND = "What you painted before is on the table: the dice went round it."
"""Told of a new table that is laid on paint. What is painted later lies above the table."""

OTHER_PARTS = (
    "The parts after it are laid again with the dice they have, and ask only for what they lack."
)
"""Told of the button that begins that."""

DICE_WAIT = "A table waits for its dice: go on entering them, or drop them, first."
"""The reason why nothing else asks for one's own dice."""

UNKNOWN_DICE = (
    "These dice can only be read: what lies below them, or the program, has changed since. "
    "Throw again to play and decide them."
)
"""Told of lines of the log without planes (``LogEntry.planes``): their dice cannot be changed."""

NO_DIE_WANTED = (
    "No more dice are asked for. Digits do nothing until you click anywhere or press another key."
)
"""Told when a digit is typed after the last die."""

NO_PAINT = "While dice are asked for, nothing is painted: press Stop entering first."
"""The reason why no tool paints while dice are asked for: a stray click would lay other ground."""

SHOWS_PANEL = "Randomize > Dice... shows the panel."
"""Told with the question for a die while the panel cannot be seen."""

PICK = "click its area, or go there with the arrow keys and press Enter (Esc: leave it)"
"""Told, after the name of a decision, while its area is to be picked on the map."""


def describe_dropped(dice_count: int) -> str:
    """Return what became of the dice for a change that is not made, of which there may be none."""
    if not dice_count:
        return "The table stays as it was."
    dice = counted(dice_count, "die", "dice")
    return f"The table stays as it was; {dice} dropped (Undo brings them back)."


ROUTE_NOUNS = {RIVER: "rivers", ROAD: "roads", RAIL: "railways"}
"""What the routes of a plane are called where they run anew."""


def describe_moved(features: Sequence[str], routes: Sequence[str]) -> str:
    """Return what moved when something else was decided: features, and planes of routes.

    There is at least one of both. Where only features moved, it says why.
    """
    nouns = _listed([ROUTE_NOUNS[plane] for plane in routes])
    if not features:
        return f"{nouns.capitalize()} run anew."
    first = features[0][:1].upper() + features[0][1:]
    if len(features) == 1:
        subject = first
        reason = "the dice place it from the one before it"
    elif len(features) == 2:
        subject = f"{first} and {features[1]}"
        reason = "the dice place each from the one before it"
    else:
        subject = f"{first} and {len(features) - 1} more"
        reason = "the dice place each from the one before it"
    if routes:
        return f"{subject} moved, too; {nouns} run anew."
    return f"{subject} moved, too: {reason}."


def _listed(nouns: Sequence[str]) -> str:
    """Return nouns as a list in a sentence: "rivers, roads and railways"; "" for none."""
    if len(nouns) < 2:
        return "".join(nouns)
    return f"{', '.join(nouns[:-1])} and {nouns[-1]}"


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


@dataclass
class TableNews:
    """The messages about a table that is being laid in the background."""

    text: str = ""
    """The sentences to tell when it is laid: what was chosen, and what follows."""
    lacking_dice: str = ""
    """The sentences to tell instead if dice have to be entered for that; "" once told."""
    asks_what_is_joined: bool = False
    """True if the log is to tell, once the table is laid, which villages are joined to a road."""
    last_text: str = ""
    """The sentences that were told when the last table was laid."""

    def forget(self) -> None:
        """Tell nothing: no table is being laid."""
        self.text = ""
        self.lacking_dice = ""
