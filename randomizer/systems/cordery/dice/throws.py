"""Named dice: every throw has a name, is logged, and can be fixed or entered by hand.

    throws = Throws(seed=17, number=3, fixed={"hill 2 die": "6"})
    throws.begin_part(1, "hills")
    throws.begin("1.1")
    score = throws.d6("hill 1 die")
    throws.say(f"Hill 1: D6 = {score}", cell)

A die has its score from one of three sources:

- a person has *fixed* it, by its name;
- the program throws it (keyed_dice.py);
- all dice of a table are *entered* as they fall there: those that are known are fixed ones, and
  ``DieWantedError`` asks for the next.

A *decision* is what a person can set in place of dice. Every line of the log tells which dice were
thrown for it, and which decisions could be made instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind, shortened
from randomizer.systems.cordery.dice.dice_names import feature_of, words_of_dice
from randomizer.systems.cordery.dice.keyed_dice import DicePlace, KeyedDice
from randomizer.systems.cordery.dice.roll_log import LogLine, RollLog
from randomizer.systems.cordery.dice.scores import (
    SIDES,
    Score,
    equal_options_text,
    read_scores,
    score_words,
)
from randomizer.systems.cordery.dice.wanted_die import DieWantedError, Tie

T = TypeVar("T")

MAX_RETHROWS = 1_000
"""After so many throws of one die it is reported as never showing the wanted score.

Only a die whose scores are all fixed can come so far: thrown dice show it long before.
"""


class Throws:
    """The dice of one table, and the log of what they decided; it lives for one roll."""

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
        """Throw for the table of a seed and number.

        ``fixed`` has values of dice and decisions by their names. ``repeats`` is how often each
        part of the page was thrown again, by its name. With ``typed`` all dice are entered: each
        comes from ``fixed``, and a missing one raises ``DieWantedError``. ``program_dice`` names
        the dice in ``fixed`` that no hand has thrown.
        """
        # Where the scores come from:
        self.fixed = dict(fixed or {})
        """The values of dice and decisions that a person has fixed or entered, by name."""
        self._keyed_dice = KeyedDice(seed, number)
        self._repeats = dict(repeats or {})
        self._typed = typed
        self._program_dice = frozenset(program_dice)

        # The position on the page, which ``begin_part`` and ``begin`` set:
        self._part = 0
        """The number of the part of the page, 1 to 7; 0 before the first one."""
        self._part_name = ""
        """The name of the part of the page: "hills"."""
        self.step = "0"
        """The step of the page that is being done."""

        # What was asked for so far:
        self.scores: dict[str, tuple[int, ...]] = {}
        """The scores of all dice so far, by name."""
        self.values_by_name: dict[str, str] = {}
        """The names of all dice and decisions so far, each with what it can be, in words."""
        self._times_thrown: dict[str, int] = {}
        """How often each die has been thrown, by its name without "again"."""
        self._used: set[str] = set()
        """The names in ``fixed`` that something asked for."""

        self._roll_log = RollLog()

    # --- the log ---------------------------------------------------------------------------

    @property
    def log(self) -> list[LogLine]:
        """The lines of the log so far."""
        return self._roll_log.lines

    @property
    def on_line(self) -> Callable[[LogLine], None] | None:
        """Called with every new line of the log."""
        return self._roll_log.on_line

    @on_line.setter
    def on_line(self, call: Callable[[LogLine], None] | None) -> None:
        self._roll_log.on_line = call

    def say(self, words: str, *cells: int) -> int:
        """Log a line with the dice and decisions since the last line; return the line's index.

        Where the program throws, the line tells which of its dice were fixed by hand. Where dice
        are entered, it tells which of them the program threw.
        """
        note = self._note_on_sources(self._roll_log.dice_of_next_line)
        return self._roll_log.add(self.step, f"{words}{note}", cells)

    def _note_on_sources(self, names: Sequence[str]) -> str:
        """Return where dice come from that do not come as usual: " (...)", "" for none."""
        program_dice = [name for name in names if name in self._program_dice]
        dice_of_hand = [name for name in names if name in self.fixed and name not in program_dice]
        if not self._typed:
            if not dice_of_hand:
                return ""
            if len(dice_of_hand) == len(names):
                return " (fixed by hand)"
            return f" (fixed by hand: {', '.join(words_of_dice(dice_of_hand))})"
        if not program_dice:
            return ""
        if dice_of_hand:
            return f" (thrown by the program: {', '.join(words_of_dice(program_dice))})"
        return " (thrown by the program)"

    # --- the position on the page ----------------------------------------------------------

    def begin_part(self, number: int, name: str) -> None:
        """Set the part (1 .. 7) of the page that the next dice belong to."""
        self._part = number
        self._part_name = name

    def begin(self, step: str) -> None:
        """Set the step that the next log lines belong to."""
        self.step = step

    # --- dice -------------------------------------------------------------------------------

    def d6(self, name: str, options: str = "") -> int:
        """Return the score of one die. Raises ProblemError if it is fixed to an invalid score.

        ``options`` are those of ``DieWantedError``, which is raised if the die is to be entered.
        """
        return self.dice(name, 1, options)[0]

    def dice(self, name: str, count: int, options: str = "") -> tuple[int, ...]:
        """Return the scores of ``count`` dice thrown together; ``options`` and errors as ``d6``.

        Each further call with the same name throws other dice, called "... again 1" and so on.
        """
        times = self._times_thrown.get(name, 0) + 1
        self._times_thrown[name] = times
        die_name = name
        if times > 1:
            die_name = f"{name} again {times - 1}"
        self._roll_log.note_die(die_name)
        self.values_by_name[die_name] = score_words(count)
        if die_name in self.fixed:
            scores = self._fixed_scores(die_name, count)
        elif self._typed:
            raise DieWantedError(self.step, die_name, count, options)
        else:
            place = DicePlace(self._part, self._repeats.get(self._part_name, 0))
            scores = self._keyed_dice.scores(die_name, place, count)
        self.scores[die_name] = scores
        return scores

    def _fixed_scores(self, name: str, count: int) -> tuple[int, ...]:
        """Return the scores that are fixed for dice. Raises ProblemError for invalid ones."""
        self._used.add(name)
        text = self.fixed[name]
        scores = read_scores(text)
        if scores is None or len(scores) != count:
            raise error(
                "die-score", f"{name} is {score_words(count)} (like 3+4+1), not {shortened(text)}"
            )
        return scores

    def within(self, name: str, greatest: int, options: str = "") -> Score:
        """Return the score of a die that is thrown again while it is more than ``greatest``.

        ``greatest`` is 1 to 6, ``options`` as in ``d6``. Raises ProblemError for fixed dice that
        never show it.
        """
        rejected: list[int] = []
        for _ in range(MAX_RETHROWS):
            score = self.d6(name, options)
            if score <= greatest:
                return Score(score, tuple(rejected))
            rejected.append(score)
        raise error("die-never", f"{name} never shows {greatest} or less")

    def one_of(
        self, name: str, options: Sequence[T], word_of: Callable[[T], str]
    ) -> tuple[T, Score]:
        """Return one of up to six equally likely options, and the score of the die that chose it.

        A single option needs no die. Of three options each has two scores; of four each has one,
        and 5 and 6 are thrown again. ``word_of`` returns the name of an option, which the person
        who enters the die reads. Errors are those of ``d6``.
        """
        if len(options) == 1:
            return options[0], Score(0)
        scores_per_option = SIDES // len(options)
        meanings = equal_options_text([word_of(option) for option in options])
        thrown = self.within(name, scores_per_option * len(options), meanings)
        return options[(thrown.score - 1) // scores_per_option], thrown

    def highest_first(
        self, name: str, options: Sequence[T], word_of: Callable[[T], str]
    ) -> list[T]:
        """Return the options by one die each, the highest first; ties are thrown again.

        ``word_of`` returns the name of an option, with which that of its die ends.
        """
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
            # Their dice are asked for a second time: ``dice`` throws those called "... again 1".
            try:
                ranked += self.highest_first(name, tied_options, word_of)
            except DieWantedError as wanted:
                # The innermost call knows the tie that the die decides; those farther out, about
                # more options, leave it.
                if wanted.tie is None:
                    wanted.tie = Tie(tuple(word_of(option) for option in tied_options), score)
                raise
        return ranked

    def dice_in_words(self, name: str, option: str) -> str:
        """Return the scores of ``highest_first`` for an option: "5", "5 then 2".

        Raises KeyError if it was the only option, for which no die is thrown.
        """
        first_die = f"{name} {option}"
        dice = [first_die]
        for times in range(1, self._times_thrown[first_die]):
            dice.append(f"{first_die} again {times}")
        return " then ".join(str(self.scores[die][0]) for die in dice)

    # --- decisions --------------------------------------------------------------------------

    def ask(self, decision: Decision) -> str | None:
        """Return the value of a decision, None if it was not made. The value is not checked.

        The decision is noted as one that could be made here, for the next line of the log.
        """
        self._roll_log.note_decision(decision)
        self.values_by_name[decision.name] = decision.values
        if decision.name not in self.fixed:
            return None
        self._used.add(decision.name)
        return self.fixed[decision.name].strip()

    def note_result(self, name: str, number: int) -> None:
        """Note what the number of a decision is on this table.

        Raises KeyError if ``ask`` did not ask for it since the last ``say``.
        """
        self._roll_log.note_number(name, number)

    def note_chained(self, name: str) -> None:
        """Note of a decision on an area that dice put its feature beside the one before it.

        Raises KeyError if ``ask`` did not ask for it since the last ``say``.
        """
        self._roll_log.note_chained(name)

    def pass_over_dice(self, feature: str) -> None:
        """Count the dice fixed for a feature ("hill 2") as used: it stays where it is."""
        self._used.update(name for name in self.fixed if feature_of(name) == feature)

    def ask_number(
        self, name: str, lowest: int, highest: int, feature_noun: str = ""
    ) -> int | None:
        """Return the value of a decision of a whole number, None if it was not made.

        ``feature_noun`` begins the names of the features that are counted, "hill" for a number of
        hills; "" for any other number. Raises ProblemError if it is out of range.
        """
        decision = Decision(
            name,
            DecisionKind.NUMBER,
            minimum=lowest,
            maximum=highest,
            feature_noun=feature_noun,
        )
        text = self.ask(decision)
        if text is None:
            return None
        # Nine digits are more than any limit, and few enough for ``int`` to be quick.
        if not re.fullmatch("[0-9]{1,9}", text) or not lowest <= int(text) <= highest:
            message = f"{name} is a whole number from {lowest} to {highest}, not {shortened(text)}"
            raise error("decision", message)
        return int(text)

    def ask_word(self, name: str, words: Sequence[str]) -> str | None:
        """Return the value of a decision of a word, None if it was not made.

        Raises ProblemError if it is none of ``words``.
        """
        text = self.ask(Decision(name, DecisionKind.WORD, tuple(words)))
        if text is not None and text not in words:
            raise error("decision", f"{name} is {' or '.join(words)}, not {shortened(text)}")
        return text

    def unused(self) -> tuple[str, ...]:
        """Return the names in ``fixed`` that nothing has used so far."""
        return tuple(name for name in self.fixed if name not in self._used)
