"""Named dice: every throw has a name, is logged, and can be fixed or entered by hand.

The parts of the page throw with ``Throws``, which has an example. Names follow the rules here: that
of a decision ends as ``_DECISION`` says, all others are dice; "hill 2 height die" is about the
feature "hill 2". ``read_fixed`` parses what a person has fixed.

The site of a throw (model/basics/dice.py) is made of its part of the page, how often that
part was thrown again, and its name. A decision, or one part thrown again, changes no other die. A
track has the dice of the road of its number, so that another kind of road takes the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeVar
from zlib import crc32

from randomizer.model.basics.dice import lane32, word
from randomizer.model.problems import Problem, ProblemError, Severity, error, split_lines

T = TypeVar("T")

SIDES = 6
"""The sides of a die; its scores are 1 to 6."""

MOST_RETHROWS = 1_000
"""After so many throws of one die it is reported as never showing the wanted score.

Only fixed dice come so far: a die that is thrown shows it long before.
"""

NUMBERED = re.compile(
    r"""
    (?: \D*+ \d++ (?! \  | $ ) )*+  # numbers within a word, which belong to no feature
    \D*+ \d++                       # up to the first number that ends a word: "hill 2"
    """,
    re.VERBOSE,
)
"""A name up to its first number that ends a word. The possessive repeats keep it from backtracking
on a long name that a person has typed.
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can be made by hand: one of some words, or a number, or an area."""

    name: str
    """The name by which it is fixed: "hill 2 at"."""

    words: tuple[str, ...] = ()
    """The words that it can be; () for a number or an area."""

    minimum: int = 0
    """The least number; 0 for words and areas."""

    maximum: int = 0
    """The greatest number; 0 for words and areas."""

    rim: bool = False
    """True for an area at the map edge."""

    feature_noun: str = ""
    """For a number of features: how the name of every one begins, "hill" for "hill 2"."""

    current_number: int = 0
    """For a number: what it is on this table, by the dice or as decided."""

    is_chained: bool = False
    """For the area of a feature: whether dice put it beside the feature before it."""

    @property
    def feature(self) -> str:
        """The feature it is about, as ``feature_of``."""
        return feature_of(self.name)

    @property
    def values(self) -> str:
        """The values that it can have, in words."""
        if self.words:
            return " or ".join(self.words)
        if self.maximum:
            return f"{self.minimum} to {self.maximum}"
        if self.rim:
            return "an area on the map edge"
        return "an area"

    @property
    def is_area(self) -> bool:
        """True if its value is the name of an area."""
        return not (self.words or self.maximum)


_DECISION = re.compile(
    r"""
    [a-z\ ]+s  # how many there are of something: hills, inhabited areas
    | .*\ (?: at | quarter | through | height | planted | bank | width | crossing\ \d+ )
    """,
    re.VERBOSE,
)
"""The names of decisions; all others are those of dice."""


def is_die(name: str) -> bool:
    """Return whether a value of ``fixed`` with this name is the score of dice, not a decision."""
    return _DECISION.fullmatch(name) is None


_ROAD = re.compile(r"(?:road|track)(?= )")
"""The noun at the beginning of the name of a die or decision of a road or track."""


def rename_for_road(name: str, road: str) -> str:
    """Return the name of a die or decision where roads are called ``road``: "road" or "track".

    "road 1 entry" is "track 1 entry" where the roads are tracks; other names stay as they are.
    """
    match = _ROAD.match(name)
    if match is None:
        return name
    return road + name[match.end() :]


def score_words(count: int) -> str:
    """Return what can be entered for so many dice thrown together."""
    if count == 1:
        return "a score from 1 to 6"
    return f"{count} scores from 1 to 6"


def read_scores(text: str) -> tuple[int, ...] | None:
    """Return the scores of dice thrown together: 3, 4, 1 of "3+4+1" or "3 4 1", else None."""
    parts = [part.strip() for part in re.split(r"[+,\s]+", text.strip())]
    if not all(re.fullmatch("[1-6]", part) for part in parts):
        return None
    return tuple(map(int, parts))


def feature_of(name: str) -> str:
    """Return the numbered feature that a die or decision is about: "hill 2"; "" if it is none."""
    match = NUMBERED.match(name)
    if match:
        return match.group()
    return ""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a die that may have been thrown again."""

    score: int
    """The score that counts, 0 if nothing was thrown."""

    rejected: tuple[int, ...] = ()
    """The scores of earlier throws of this die, which do not count."""

    def __str__(self) -> str:
        """In words, for the log: "D6 = 3", "D6 = 5, 6, thrown again: 3"."""
        rejected_scores = "".join(f"{score}, " for score in self.rejected)
        if rejected_scores:
            return f"D6 = {rejected_scores}thrown again: {self.score}"
        return f"D6 = {self.score}"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log, which tells what the dice did on the table."""

    step: str
    """The step of the page: "1.2"."""

    words: str

    throws: tuple[str, ...] = ()
    """The names of the dice that were thrown for it."""

    cells: tuple[int, ...] = ()
    """The areas that it is about."""

    decisions: tuple[Decision, ...] = ()
    """The decisions that could be made here."""

    def __str__(self) -> str:
        return f"{self.step} {self.words}"


class DieWantedError(ProblemError):
    """A die has to be entered by hand that has not been entered yet.

    ``count`` dice called ``name``, at ``step`` of the page. ``options`` says what the scores mean,
    such as "1 to 3: 0305, 4 to 6: 0406"; "" where the question tells that.
    ``quarters`` are those of the map edge that it chooses from, by score; () for other dice. A die
    that decides between options whose dice were equal has their names in ``tied_options``, and the
    score of all of them in ``tied_score``; else these are () and 0. ``counted_from`` are the areas
    from which dice count on, () for dice that do not.
    """

    def __init__(self, step: str, name: str, count: int, options: str = "") -> None:
        dice = f"{count} dice are"
        if count == 1:
            dice = "a die is"
        example = " + ".join("3" * count)
        message = f"step {step}: {dice} thrown at the table; enter the score: {name} = {example}"
        super().__init__(Problem(Severity.ERROR, "die-wanted", message))
        self.step = step
        self.name = name
        self.count = count
        self.options = options
        self.quarters: tuple[int, ...] = ()
        self.tied_options: tuple[str, ...] = ()
        self.tied_score = 0
        self.counted_from: tuple[int, ...] = ()


_QUESTIONS = (
    (r"trees die", "how many groups of trees there are"),
    (r"(\D*s) die", r"how many \1 there are"),
    (r".* chain", "whether it lies beside the one before, or farther on"),
    (r".* direction", "the direction in which it lies"),
    (r".* row", "the row from which it is counted"),
    (r".* steps", "how many areas it is counted on along the rows: their sum"),
    (r".* height die", "how high it is"),
    (r".* entry area (\d+)", r"whether it enters at \1: the area with the highest die counts"),
    (r".* exit area (\d+)", r"whether it leaves at \1: the area with the highest die counts"),
    (r".* entry", "the quarter of the map edge where it enters"),
    (r".* exit", "the quarter of the map edge where it leaves"),
    (r".* fork at (\d+)", r"which way it takes at \1, where several are as good"),
    (r"road to .* from", "the area of the place in which it begins"),
    (r".* width die", "whether it is one area wide or two"),
    (r".* bank die", "on which bank its second area lies"),
    (r".* crossing \d+ die", "whether there is a ford or a bridge"),
    (r"field place \d+ (\d+)", r"whether \1 gets a field: those with the highest dice do"),
    (r"field \d+ area", "beside which area of the place it lies"),
    (r".* planted die", "whether anything but corn is planted"),
)
"""What dice decide, by patterns of their names; the first that matches counts."""


def question_of(name: str) -> str:
    """Return what the dice of this name decide, in words; "" if the page does not tell."""
    first_name = re.sub(r" again \d+$", "", name)
    for pattern, question in _QUESTIONS:
        match = re.fullmatch(pattern, first_name)
        if match is not None:
            return match.expand(question)
    return ""


class Throws:
    """The dice of one map, and the log of what they decided; it lives for one roll.

    ``fixed`` maps names of throws and decisions to their values, ``repeats`` is how often each part
    was thrown again. With ``typed`` every die comes from ``fixed``, and a missing one raises
    ``DieWantedError``. ``program_dice`` names the dice in ``fixed`` that no hand has thrown.
    Example::

        throws = Throws(seed=17, number=3, fixed={"hill 2 die": "6"})
        throws.begin_part(1, "hills")
        throws.begin("1.1")
        score = throws.d6("hill 1 die")
        throws.say(f"Hill 1: D6 = {score}", cell)
    """

    def __init__(
        self,
        seed: int,
        number: int,
        fixed: Mapping[str, str] | None = None,
        repeats: Mapping[str, int] | None = None,
        *,
        typed: bool = False,
        program_dice: Collection[str] = (),
    ) -> None:
        self._seed = seed
        self._number = number
        self.fixed = dict(fixed or {})
        self._repeats = dict(repeats or {})
        self._typed = typed
        self._program_dice = frozenset(program_dice)
        self._used: set[str] = set()
        """The names in ``fixed`` that something asked for."""
        self._dice_of_line: list[str] = []
        """The names of the dice thrown since the last line of the log: the next line's."""
        self._decisions_of_line: list[Decision] = []
        """The decisions asked for since the last line of the log: the next line's."""
        self._times_thrown: dict[str, int] = {}
        """How often each die has been thrown, by its name without "again"."""
        self._part = 0
        """The number of the part of the page, 1 to 7; 0 before the first one."""
        self._part_name = ""
        self.step = "0"
        """The step of the page that is being done."""
        self.log: list[LogLine] = []
        self.on_line: Callable[[LogLine], None] | None = None
        """Called with every new line of the log."""
        self.scores: dict[str, tuple[int, ...]] = {}
        """The scores of all dice so far, by name."""
        self.values_by_name: dict[str, str] = {}
        """The names of all dice and decisions so far, each with its possible values, in words."""

    # --- the position on the page ----------------------------------------------------------

    def begin_part(self, number: int, name: str) -> None:
        """Set the part (1 .. 7) of the page that the next dice belong to."""
        self._part = number
        self._part_name = name

    def begin(self, step: str) -> None:
        """Set the step that the next log lines belong to."""
        self.step = step

    def say(self, words: str, *cells: int) -> int:
        """Log a line with the dice and decisions since the last line; return the line's index.

        Where the program throws, the line names the dice that were fixed by hand. Where dice are
        entered, it tells which of them the program threw.
        """
        throws = tuple(self._dice_of_line)
        program_dice = [name for name in throws if name in self._program_dice]
        dice_of_hand = [name for name in throws if name in self.fixed and name not in program_dice]
        if program_dice and self._typed:
            note = "thrown by the program"
            if dice_of_hand:
                note = f"{note}: {', '.join(program_dice)}"
            words = f"{words} ({note})"
        elif dice_of_hand and not self._typed:
            words = f"{words} (fixed by hand: {', '.join(dice_of_hand)})"
        decisions = tuple(self._decisions_of_line)
        self.log.append(LogLine(self.step, words, throws, cells, decisions))
        self._dice_of_line.clear()
        self._decisions_of_line.clear()
        if self.on_line is not None:
            self.on_line(self.log[-1])
        return len(self.log) - 1

    # --- dice -------------------------------------------------------------------------------

    def d6(self, name: str, options: str = "") -> int:
        """Return the score of one die. Raises ProblemError if it is fixed to an invalid score.

        ``options`` are those of ``DieWantedError``, which is raised if the die is to be entered.
        """
        return self.dice(name, 1, options)[0]

    def dice(self, name: str, count: int, options: str = "") -> tuple[int, ...]:
        """Return the scores of ``count`` dice thrown together; ``options`` and errors as ``d6``."""
        times = self._times_thrown.get(name, 0) + 1
        self._times_thrown[name] = times
        die_name = name
        if times > 1:
            die_name = f"{name} again {times - 1}"
        self._dice_of_line.append(die_name)
        self.values_by_name[die_name] = score_words(count)
        if die_name in self.fixed:
            scores = self._read(die_name, count)
        elif self._typed:
            raise DieWantedError(self.step, die_name, count, options)
        else:
            scores = self._keyed(die_name, count)
        self.scores[die_name] = scores
        return scores

    def _keyed(self, name: str, count: int) -> tuple[int, ...]:
        """Return the scores of dice that the program throws, from the key of the map.

        The site of a die has 64 bits: 4 for the part of the page, 24 for how often that part was
        thrown again, 4 for the number of the die among those thrown together, 32 for the name.
        """
        # A table with tracks in place of its roads keeps their ways.
        name_of_site = rename_for_road(name, "road")
        repeats = self._repeats.get(self._part_name, 0)
        site = self._part << 60 | repeats << 36 | crc32(name_of_site.encode())
        scores = []
        for number in range(count):
            random_bits = word(self._seed, self._number, site | number << 32)
            scores.append((lane32(random_bits, 1) * SIDES >> 32) + 1)
        return tuple(scores)

    def _read(self, name: str, count: int) -> tuple[int, ...]:
        """Return the scores that are fixed for dice. Raises ProblemError for invalid ones."""
        self._used.add(name)
        text = self.fixed[name]
        scores = read_scores(text)
        if scores is None or len(scores) != count:
            raise error("die-score", f"{name} is {score_words(count)} (like 3+4+1), not {text:.60}")
        return scores

    def within(self, name: str, greatest: int, options: str = "") -> Score:
        """Return the score of a die that is thrown again while it is more than ``greatest``.

        ``greatest`` is 1 to 6, ``options`` as in ``d6``. Raises ProblemError for fixed dice that
        never show it.
        """
        rejected: list[int] = []
        for _ in range(MOST_RETHROWS):
            score = self.d6(name, options)
            if score <= greatest:
                return Score(score, tuple(rejected))
            rejected.append(score)
        raise error("die-never", f"{name} never shows {greatest} or less")

    def one_of(
        self, name: str, options: Sequence[T], word_of: Callable[[T], str]
    ) -> tuple[T, Score]:
        """Return one of up to six options, each as likely, and its die.

        A single option needs no die. Of four options each has one score, and 5 and 6 are thrown
        again; of three each has two scores. ``word_of`` names an option for who enters the die.
        Raises ``DieWantedError`` with these names if the die is to be entered, else as ``d6``.
        """
        if len(options) == 1:
            return options[0], Score(0)
        scores_per_option = SIDES // len(options)
        meanings = _scores_of_options([word_of(option) for option in options])
        thrown = self.within(name, scores_per_option * len(options), meanings)
        return options[(thrown.score - 1) // scores_per_option], thrown

    def highest_first(
        self, name: str, options: Sequence[T], word_of: Callable[[T], str]
    ) -> list[T]:
        """Return the options by one die each, the highest first; ties are thrown again."""
        if len(options) < 2:
            return list(options)
        scores = [self.d6(f"{name} {word_of(option)}") for option in options]
        return self._rank(name, options, scores, word_of)

    def _rank(
        self, name: str, options: Sequence[T], scores: Sequence[int], word_of: Callable[[T], str]
    ) -> list[T]:
        """Return options by their scores, the highest first; those with equal ones throw again.

        Raises ``DieWantedError`` with the tied options if a die is to be entered.
        """
        ranked: list[T] = []
        for score in sorted(set(scores), reverse=True):
            tied_options = [
                option
                for option, score_of_option in zip(options, scores, strict=True)
                if score_of_option == score
            ]
            # Their dice get the same names again: "... again 1".
            try:
                ranked += self.highest_first(name, tied_options, word_of)
            except DieWantedError as die:
                if not die.tied_options:  # else it is a tie among these, which were thrown again
                    die.tied_options = tuple(word_of(option) for option in tied_options)
                    die.tied_score = score
                raise
        return ranked

    def dice_in_words(self, name: str, option: str) -> str:
        """Return the scores of ``highest_first`` for an option: "5", "5 then 2"."""
        first_die = f"{name} {option}"
        dice = [first_die]
        for times in range(1, self._times_thrown[first_die]):
            dice.append(f"{first_die} again {times}")
        return " then ".join(str(self.scores[die][0]) for die in dice)

    # --- decisions --------------------------------------------------------------------------

    def decided(self, decision: Decision) -> str | None:
        """Return the value of a decision, None if it was not made. The value is not checked.

        The decision is noted as one that could be made here, for the next line of the log.
        """
        if decision not in self._decisions_of_line:
            self._decisions_of_line.append(decision)
        self.values_by_name[decision.name] = decision.values
        if decision.name not in self.fixed:
            return None
        self._used.add(decision.name)
        return self.fixed[decision.name].strip()

    def note_result(self, number: int) -> None:
        """Set the present value of the last decision of a number."""
        self._decisions_of_line[-1] = replace(self._decisions_of_line[-1], current_number=number)

    def note_chained(self) -> None:
        """Note of the last decision of an area that dice put its feature beside the one before."""
        self._decisions_of_line[-1] = replace(self._decisions_of_line[-1], is_chained=True)

    def pass_over_dice(self, feature: str) -> None:
        """Count the dice fixed for a feature ("hill 2") as used: it stays where it is."""
        self._used.update(name for name in self.fixed if feature_of(name) == feature)

    def decided_number(
        self, name: str, lowest: int, highest: int, die_word: str = ""
    ) -> int | None:
        """Return the value of a decision of a whole number, None if it was not made.

        ``die_word`` begins the names of the features that are counted, if it is their number.
        Raises ProblemError if it is out of range.
        """
        text = self.decided(Decision(name, (), lowest, highest, feature_noun=die_word))
        if text is None:
            return None
        # Nine digits are more than any limit, and few enough for int() to be quick.
        if not re.fullmatch("[0-9]{1,9}", text) or not lowest <= int(text) <= highest:
            message = f"{name} is a whole number from {lowest} to {highest}, not {text:.60}"
            raise error("decision", message)
        return int(text)

    def decided_word(self, name: str, words: Sequence[str]) -> str | None:
        """Return the value of a decision of a word.

        Raises ProblemError if it is none of ``words``.
        """
        text = self.decided(Decision(name, tuple(words)))
        if text is not None and text not in words:
            raise error("decision", f"{name} is {' or '.join(words)}, not {text:.60}")
        return text

    def unused(self) -> tuple[str, ...]:
        """Return the names in ``fixed`` that nothing has used so far."""
        return tuple(name for name in self.fixed if name not in self._used)


def _scores_of_options(names: Sequence[str]) -> str:
    """Return which scores of a die choose which option: "1 to 3: 0305, 4 to 6: 0406".

    Scores that choose none, since the options do not divide six, are said to be thrown again.
    """
    scores_per_option = SIDES // len(names)
    texts = []
    for index, name in enumerate(names):
        lowest = index * scores_per_option + 1
        texts.append(f"{_range_words(lowest, lowest + scores_per_option - 1)}: {name}")
    lowest_left = scores_per_option * len(names) + 1
    if lowest_left <= SIDES:
        texts.append(f"{_range_words(lowest_left, SIDES)}: thrown again")
    return ", ".join(texts)


def options_text(scores_by_option: Mapping[str, Collection[int]]) -> str:
    """Return which scores of a die mean what: "5 or 6: a bridge, 1 to 4: a ford".

    An option without scores is left out. The scores of each one follow each other.
    """
    texts = []
    for option, scores in scores_by_option.items():
        if scores:
            texts.append(f"{_range_words(min(scores), max(scores))}: {option}")
    return ", ".join(texts)


def other_scores(*scores: Collection[int]) -> frozenset[int]:
    """Return the scores of a die that are in none of ``scores``."""
    return frozenset(range(1, SIDES + 1)).difference(*scores)


def _range_words(lowest: int, highest: int) -> str:
    """Return a range of scores in words: "4", "5 or 6", "1 to 3"."""
    if lowest == highest:
        return str(lowest)
    if lowest + 1 == highest:
        return f"{lowest} or {highest}"
    return f"{lowest} to {highest}"


def read_fixed(text: str) -> dict[str, str]:
    """Parse decisions: ``name = value``, separated by line breaks or semicolons.

    Raises ProblemError, with its line and column, for one without an equals sign or a repeated
    name.
    """
    fixed: dict[str, str] = {}
    for line, row in enumerate(split_lines(text), 1):
        column = 1
        for part in row.split(";"):
            start = column + len(part) - len(part.lstrip())
            column += len(part) + 1
            if not part.strip():
                continue
            name, equals, value = (word.strip() for word in part.partition("="))
            if not (name and equals and value):
                raise _misread(f"expected: name = value, not {part.strip():.60}", line, start)
            if name in fixed:
                raise _misread(f"{name:.60} is fixed twice", line, start)
            fixed[name] = value
    return fixed


def _misread(message: str, line: int, column: int) -> ProblemError:
    """Return the error of decisions that cannot be parsed; line and column count from 1."""
    return ProblemError(Problem(Severity.ERROR, "decision", message, line=line, column=column))


_AREA = re.compile(r"\b\d{4}\b")
"""The name of an area: two digits of its column, two of its row."""

_NUMBER = re.compile(r"\b\d{1,3}\b")
"""The number of a feature."""


def generalize_name(name: str) -> str:
    """Return a name for all features and areas: "hill 2 at" is "hill N at", an area is AREA."""
    return _NUMBER.sub("N", _AREA.sub("AREA", name))


def areas_in_name(name: str) -> list[str]:
    """Return the names of the areas in the name of a die or decision: that of "fork at 0304"."""
    return _AREA.findall(name)


def names_of_page(throws: Throws) -> Mapping[str, str]:
    """Return the general names that a table has asked for, with the values they take, in words.

    Dice thrown again are left out: they are called like the first ones, with "again N" behind.
    """
    return {
        generalize_name(name): values
        for name, values in throws.values_by_name.items()
        if not re.search(r" again \d+$", name)
    }


SIMILARITY = 0.75
"""How alike two names are, from 0 to 1, if one can be meant by the other.

With less, names would be proposed that share only a few letters; with more, a name with two slips
would find none.
"""


def closest_name(throws: Throws, name: str) -> str:
    """Return the name that was probably meant by one that nothing asked for; "" for none."""
    matches = get_close_matches(name, throws.values_by_name, n=1, cutoff=SIMILARITY)
    if not matches:
        return ""
    return matches[0]


def list_names(names: Mapping[str, str]) -> str:
    """Return all names with their values, a line each."""
    return "".join(f"\n  {name} = {values}" for name, values in names.items())
