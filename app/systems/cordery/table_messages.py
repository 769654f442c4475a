"""Messages to the user about a wargame table that is laid by dice, and about these dice.

A table is laid in *parts*, such as its hills, its waters and its roads, in the order of ``PARTS``.
A change of one part lays this part and all later ones again. The controllers of the dice panel,
first of all ``DiceController``, show these messages in the status line and in tool tips:

>>> describe_choices({"rivers": 2})
'Rivers: 2.'

``TableNews`` holds the messages that wait until a table is laid.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.systems.cordery.dice_panel import BOX
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem
from randomizer.systems.cordery.choices import SETTINGS
from randomizer.systems.cordery.dice.dice_names import noun_of_feature
from randomizer.systems.cordery.entered_dice import EnteredDice
from randomizer.systems.cordery.page_parts import PARTS, TITLES
from randomizer.systems.cordery.parts.vegetation import TREES_NOUNS
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD

Chosen = Mapping[str, object]
"""Chosen values of settings, by the settings' names."""

# --- limits of the status line ----------------------------------------------------------------

NOT_LOGGED = ("not-in-box", "decision-unused")
"""The codes of problems that have no line in the dice log."""

MAX_NOTED = 2
"""The largest number of such problems whose messages the status line shows; others are counted."""

MAX_NAMED = 2
"""The largest number of moved features, or of unused dice, that the status line names.

Of more features it tells how many of each kind moved; of more dice it names the first.
"""

MAX_LETTERS = 90
"""The letters for which the status line has room in a window of 1280 pixels."""

# --- after a choice ---------------------------------------------------------------------------

FOR_ENTERED_DICE = "It counts for the table of your own dice."
"""Added to a choice that is made before or while the user enters the dice of a table by hand."""

FOR_NEXT_THROW = "It counts for the next throw; until then it is no step of Undo."
"""Added to a choice for which the program threw no dice."""

FREED_FOR_NEXT_THROW = (
    "The map stays as it is; the dice decide again with the next throw. That is no step of Undo."
)
"""Told after what was fixed by hand is freed, where the dice are entered by hand."""

LACKING_DICE = (
    "That takes dice which this table does not have: enter them, or stop entering to leave the "
    "table as it is."
)
"""Added to a choice for which the user has to enter further dice by hand."""

# --- throwing a part again --------------------------------------------------------------------

LATER_PARTS_STAY = "What was laid after it stays, unless its area is taken."
"""Added to the tip of the button that throws a part again which has parts after it."""

ENTERING_PART = (
    "what was laid after it stays, unless its area is taken. Stop entering leaves the table as it "
    "was."
)
"""Shown, after the name of the part and a colon, when the user has pressed that button."""

# --- other messages ---------------------------------------------------------------------------

PAINTED_GROUND = "What you painted before is on the table: the dice went round it."
"""Shown for a new table on a painted map. What is painted later lies above the table."""

DICE_WAIT = "A table waits for its dice: go on entering them, or drop them, first."
"""The reason why no further dice can be entered before those of the current table."""

UNKNOWN_DICE = (
    "These dice can only be read: what lies below them, or the program, has changed since. "
    "Throw again to play and decide them."
)
"""Shown for lines of the log without planes (``LogEntry.planes``): their dice cannot be changed."""

NO_DIE_WANTED = (
    "No more dice are asked for. Digits do nothing until you click anywhere or press another key."
)
"""Shown when the user types a digit after the last die."""

NO_PAINT = "While dice are asked for, nothing is painted: press Stop entering first."
"""The reason why no tool paints while dice are asked for: a stray click would lay other ground."""

SHOWS_PANEL = "Randomize > Dice... shows the panel."
"""Added to the question for a die while the panel is hidden."""

PICK_AREA = "click its area, or go there with the arrow keys and press Enter (Esc: leave it)"
"""Shown, after the name of a decision, while the user is to pick its area on the map."""

_FORK = " fork at "
"""A part of the name of a die that chooses one of several ways: "road 1 fork at 0304"."""

ROUTE_NOUNS = {RIVER: "rivers", ROAD: "roads", RAIL: "railways"}
"""The plural nouns for routes, by the plane of a map in which they lie."""

_NOUNS = {"trees": TREES_NOUNS, "marsh": ("marsh", "marshes")}
"""The singular and plural nouns for features, by those in their names; others get an s."""


@dataclass
class TableNews:
    """The messages to show once the table that is being laid in the background lies.

    The controllers of the dice panel share one ``TableNews``. Whoever begins to lay a table fills
    it in. Each of its texts is shown once, and is "" then::

        what has come of it                         what is shown
        the table is laid                           text, by ``TableReports``
        the user has to enter dice for it first     lacking_dice, by ``EntryMessages``
        something is chosen while dice are entered  choice, by ``EntryMessages``
        no table can be laid                        nothing, ``TableReports`` calls ``forget``
        the user stops entering dice                nothing, ``EntryMessages`` calls ``forget``
    """

    text: str = ""
    """The sentences to show when the table is laid: what was chosen, and what follows from it."""

    choice: str = ""
    """The sentence about a choice that was made while dice are asked for; "" for none."""

    lacking_dice: str = ""
    """The sentences to show if the user has to enter dice for the table; "" for none."""

    asks_what_is_joined: bool = False
    """True if the log of the table is to be searched for the villages that a road joins."""

    first_new_river: int | None = None
    """The number of the first river that is laid anew, from 1 on; None if none is.

    If this river or a later one is two areas wide, that is told.
    """

    def pop_choice(self) -> str:
        """Return the sentence about a choice, which is to be told now; "" if there is none."""
        choice = self.choice
        self.choice = ""
        return choice

    def pop_lacking_dice(self) -> str:
        """Return the sentences about lacking dice, which are to be told now; "" for none."""
        lacking_dice = self.lacking_dice
        self.lacking_dice = ""
        return lacking_dice

    def announce_all_rivers(self) -> None:
        """Let the wide ones among all rivers be told, as each of them is laid anew."""
        self.first_new_river = 1

    def forget(self) -> None:
        """Drop what is to be told, as no table is being laid."""
        self.forget_texts()
        self.asks_what_is_joined = False
        self.first_new_river = None

    def forget_texts(self) -> None:
        """Drop the sentences; what is to be told of the log stays until the log is there."""
        self.text = ""
        self.choice = ""
        self.lacking_dice = ""


def describe_notes(problems: Sequence[Problem], letters_before: int) -> str:
    """Return the problems of a roll as one line for the status line; "" if there are none.

    A problem that the dice log explains is shown only if it is the only one of its kind and the
    line has room for it after ``letters_before`` letters. Otherwise these problems are counted.
    """
    sentences = []
    logged_messages = [problem.message for problem in problems if problem.code not in NOT_LOGGED]
    logged_text = "".join(logged_messages)
    if len(logged_messages) == 1 and letters_before + len(logged_text) <= MAX_LETTERS:
        sentences.append(_capitalized(logged_text))
    elif logged_messages:
        sentences.append(f"{counted(len(logged_messages), 'note')}: see the dice log.")

    other_messages = [problem.message for problem in problems if problem.code in NOT_LOGGED]
    for message in other_messages[:MAX_NOTED]:
        sentences.append(_capitalized(message))
    further_problems = len(other_messages) - MAX_NOTED
    if further_problems > 0:
        sentences.append(f"{further_problems} more.")
    return " ".join(sentences)


def describe_choices(values: Chosen) -> str:
    """Return a sentence about the choices that the user changed: "Rivers: 2."

    There is at least one. If there are several, the sentence tells only their number.
    """
    if len(values) > 1:
        return f"{len(values)} choices changed."
    name = next(iter(values))  # the only one
    value = values[name]
    setting = next(setting for setting in SETTINGS if setting.name == name)
    if name == BOX.name:
        return "Another box of pieces."
    title = setting.title.lstrip("0123456789 ")  # the form numbers some of its questions
    if setting.kind is bool and value:
        return f"{title}: yes."
    if setting.kind is bool:
        return f"{title}: no."
    if value == 0:
        return f"{title}: {setting.zero}."
    label = dict(setting.choices).get(str(value), str(value))
    return f"{title}: {label}."


def describe_laid_again(first_part: str) -> str:
    """Return a sentence that a part and all parts after it are laid again with the same dice."""
    if first_part == PARTS[0]:
        return "The whole table is laid again with the same dice."
    title = TITLES[first_part].lower()
    if first_part == PARTS[-1]:
        return f"Laid again with the same dice: {title}."
    return f"Laid again with the same dice: {title}, and what follows."


def describe_returning_dice(choice: str, asked_part: str, later_parts: Sequence[str]) -> str:
    """Return sentences after a choice for which dice of a part are asked for first.

    ``choice`` is the sentence of ``describe_choices``. The dice that the user has entered for
    ``later_parts`` count again after those for ``asked_part``: until then these parts are not seen.
    """
    return f"{choice} Your dice for {_listed(later_parts)} come back after those for {asked_part}."


def describe_unused_dice(names: Sequence[str], choice: str = "") -> str:
    """Return sentences which of the entered dice the table asks for no more, and why.

    ``names`` are those of the dice, at least one. ``choice`` is the sentence of
    ``describe_choices`` if a choice is the reason. Else a die before them is: one that chooses
    where a river or road goes on, or any other.
    """
    if len(names) <= MAX_NAMED:
        subject = _listed(names)
    else:
        subject = f"{names[0]} and {len(names) - 1} more dice"
    if choice:
        return f"{choice} Not used any more: {subject}."
    if all(_FORK in name for name in names):
        return f"Not used any more: {subject}, as the way is another now."
    return f"Not used any more: {subject}, as what lies before is another now."


class WaitingText(NamedTuple):
    """What the panel shows about dice that wait for the rest of a table."""

    sentence: str

    button: str
    """The text of the button with which the user goes on."""


def describe_waiting(dice: EnteredDice) -> WaitingText:
    """Return what to show about a table of which some dice were entered and wait."""
    subject = "A table"
    if dice.changes_table:
        subject = "A change of the table"
    # The expected number is reached with the last die: the table was laid, and that was undone.
    lacks_no_die = 0 < dice.expected_count <= dice.count
    if lacks_no_die:
        return WaitingText(
            f"{subject} is not laid; its {dice.count} dice are kept in the map.",
            f"Lay it ({dice.count} dice)",
        )
    return WaitingText(
        f"{subject} waits for its dice: {dice.progress} are entered, and kept in the map.",
        f"Go on entering ({dice.progress})",
    )


def describe_completed(entered_count: int, program_count: int) -> str:
    """Return a sentence that the dice of a table are there; "" if it took no further ones.

    ``entered_count`` of them were entered by hand, ``program_count`` thrown by the program in place
    of the user.
    """
    if program_count:
        dice = counted(program_count, "die", "dice")
        return f"The program has thrown {dice} for you: the table is laid."
    if entered_count == 1:
        return "Your die is there: the table is laid."
    if entered_count:
        return f"All your {entered_count} dice are there: the table is laid."
    return ""


def describe_kept(dice_count: int) -> str:
    """Return what became of the dice for a new table when the user stopped entering."""
    dice = counted(dice_count, "die", "dice")
    return (
        f"The table is not laid yet: the map keeps the {dice} that you entered. "
        "Go on entering asks for the rest."
    )


def describe_dropped(dice_count: int) -> str:
    """Return what became of dice that were entered for a change which is not made after all.

    ``dice_count`` may be 0: the user stopped before the first die.
    """
    if not dice_count:
        return "The table stays as it was."
    dice = counted(dice_count, "die", "dice")
    return f"The table stays as it was; {dice} dropped (Undo brings them back)."


def describe_moved(
    features: Sequence[str], routes: Sequence[str], decided_nouns: Collection[str]
) -> str:
    """Return what else moved on the table when the user decided one of its features.

    ``features`` are the names of the features that moved, ``routes`` the planes whose routes run
    anew. One of the two may be empty. ``decided_nouns`` are the nouns of the features that were
    decided: where only features with these nouns moved, the sentence says why.
    """
    nouns = _listed([ROUTE_NOUNS[plane] for plane in routes])
    if not features:
        return f"{nouns.capitalize()} run anew."
    subject = _capitalized(_features_in_words(features))
    if routes:
        return f"{subject} moved, too; {nouns} run anew."
    if not {noun_of_feature(feature) for feature in features} <= set(decided_nouns):
        return f"{subject} moved, too."
    if len(features) == 1:
        return f"{subject} moved, too: the dice place it from the one before it."
    return f"{subject} moved, too: the dice place each from the one before it."


def describe_displaced(features: Sequence[str], routes: Sequence[str]) -> str:
    """Return what else moved on the table when a part before it was thrown again.

    ``features`` are the names of the features in whose areas something else stands now, ``routes``
    the planes whose routes run anew. One of the two may be empty.
    """
    nouns = _listed([ROUTE_NOUNS[plane] for plane in routes])
    if not features:
        return f"{nouns.capitalize()} run anew."
    subject = _capitalized(_features_in_words(features))
    if len(features) == 1:
        sentence = f"{subject} moved, as its area is taken"
    else:
        sentence = f"{subject} moved, as their areas are taken"
    if routes:
        return f"{sentence}; {nouns} run anew."
    return f"{sentence}."


def describe_wide_rivers(numbers: Sequence[int]) -> str:
    """Return a sentence that the rivers of these numbers are two areas wide, at least one."""
    if len(numbers) == 1:
        return f"River {numbers[0]} is two areas wide."
    return f"Rivers {_listed([str(number) for number in numbers])} are two areas wide."


def describe_throw(part: str, *, drops_dice: bool) -> str:
    """Return sentences after the program threw a part again.

    ``drops_dice`` is True if dice of this part that the user had entered are dropped for that.
    """
    sentences = [f"Thrown again: {TITLES[part].lower()}."]
    if drops_dice:
        sentences.append("Your own dice for this part are dropped; Undo brings them back.")
    return " ".join(sentences)


def describe_next_throw(part: str, dice_to_drop: int) -> str:
    """Return what would happen if the program threw a part again, in sentences for a tip.

    ``dice_to_drop`` is the number of throws of that part that the user has fixed by hand.
    """
    sentences = [f"Throw the dice for {TITLES[part].lower()} again."]
    if part != PARTS[-1]:
        sentences.append(LATER_PARTS_STAY)
    if dice_to_drop:
        sentences.append("Your own dice for this part are dropped then.")
    return " ".join(sentences)


def describe_throw_by_hand(part: str) -> str:
    """Return what would happen if the user threw a part again by hand, in sentences for a tip."""
    sentence = f"Enter new dice for {TITLES[part].lower()}."
    if part == PARTS[-1]:
        return sentence
    return f"{sentence} {LATER_PARTS_STAY}"


def _features_in_words(features: Sequence[str]) -> str:
    """Return features by name, or if there are more than two, how many of each kind.

    "hill 3 and trees 1", or "2 hills, trees 1 and 3 fields", in the order of ``features``.
    """
    if len(features) <= MAX_NAMED:
        return _listed(features)
    features_by_noun: dict[str, list[str]] = {}
    for feature in features:
        features_by_noun.setdefault(noun_of_feature(feature), []).append(feature)
    kinds = []
    for noun, features_of_kind in features_by_noun.items():
        if len(features_of_kind) == 1:
            kinds.append(features_of_kind[0])
        else:
            singular, plural = _NOUNS.get(noun, (noun, f"{noun}s"))
            kinds.append(counted(len(features_of_kind), singular, plural))
    return _listed(kinds)


def _capitalized(text: str) -> str:
    """Return a text with a capital first letter; unlike ``str.capitalize`` it keeps the others."""
    return text[:1].upper() + text[1:]


def _listed(nouns: Sequence[str]) -> str:
    """Return nouns as a list in a sentence: "rivers, roads and railways"; "" for none."""
    if len(nouns) < 2:
        return "".join(nouns)
    return f"{', '.join(nouns[:-1])} and {nouns[-1]}"
