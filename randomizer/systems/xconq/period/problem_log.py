"""The problems found while a period is read, and which of them follow from earlier ones.

One mistake in a text of the period language often makes several messages. A list of problems shows
the cause alone, so each later problem is marked as one that ``follows``. Three rules find causes.

1. An undefined word empties the stack, so that the next word lacks arguments::

    1 i oops speed                      "oops" is undefined; ``speed`` lacks two arguments

2. Texts that a faulty statement loses may have been names, which are then undefined::

    "t" "tank" "a tank" oops utype      no type is defined
    5 tank speed                        "tank" is undefined

3. If the lost statement seems to define a type, vectors have a value more than there are types::

    [ 1 2 3 ] u* hp                     three values for two types
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.faults import NO_NAMES, Fault, Replacement, make_problem
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.tokens import Token
from randomizer.systems.xconq.period.words import TEXTS_OF_TYPE

WRONG_COUNTS = ("period-values-short", "period-vector-lengths")
"""The codes of problems of a vector that has another number of values than there are types.

The first is for a word with one index, the second for a table.
"""


class ProblemLog:
    """Makes the problems of words, and marks those that follow from an earlier one.

    The *root* of a problem is the one that a list shows for it: the problem from which it follows,
    or the problem itself. It is known by its index in ``problems``.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        """In the order in which they were found."""

        self.emptied_by: Token | None = None
        """The undefined word that emptied the stack; None if the stack is as words have left it.

        ``report_undefined`` sets it, and ``note_executed`` ends it.
        """

        self._root_by_undefined_word: dict[str, int] = {}
        """The undefined words so far, each with the root of its first problem."""

        self._root_by_lost_text: dict[str, int] = {}
        """The texts on the stack when a faulty statement emptied it, with the root of its problem.

        Each may have been a name.
        """

        self._root_of_lost_type: int | None = None
        """The root of the first lost statement that seems to define a type; None without one."""

    def report(
        self,
        file: PeriodFile,
        token: Token,
        code: str,
        named: Mapping[str, object] = NO_NAMES,
        fix: Replacement | None = None,
    ) -> None:
        """Add a problem of a token; the arguments are as for ``problem`` of faults.py."""
        self._add(make_problem(code, file, token.span, named, fix), self._root_of_wrong_count(code))

    def append(self, problem_of_file: Problem) -> None:
        """Add a problem that follows from no other."""
        self.problems.append(problem_of_file)

    def report_undefined(
        self, file: PeriodFile, token: Token, stack: Sequence[Item], suggestion: str | None
    ) -> None:
        """Add the problem of a word that means nothing; ``stack`` is what is lost by it.

        ``suggestion`` is the word that was probably meant, which its fix writes; None for no fix.
        """
        name = str(token.value)
        fix = None
        if suggestion is not None:
            fix = (token.start, token.end, suggestion)
        new_problem = make_problem("period-undefined-word", file, token.span, {"word": name}, fix)
        # A lost definition is a better reason than that the word was undefined before.
        earlier_root = self._root_by_undefined_word.get(name)
        root = self._add(new_problem, self._root_by_lost_text.get(name, earlier_root))
        self._root_by_undefined_word.setdefault(name, root)
        self._note_lost(stack, root)
        self.emptied_by = token

    def report_fault(
        self, file: PeriodFile, token: Token, fault: Fault, stack: Sequence[Item]
    ) -> None:
        """Add the problem of a word that could not be executed.

        ``stack`` are the objects that stood before the word: whatever they should have become is
        lost.
        """
        # A guess: once the stack was emptied, whatever is wrong is so since then.
        if self.emptied_by is not None:
            earlier_root: int | None = self._root_by_undefined_word[str(self.emptied_by.value)]
        else:
            earlier_root = self._root_of_wrong_count(fault.code)
        root = self._add(make_problem(fault.code, file, token.span, fault.named), earlier_root)
        self._note_lost(stack, root)

    def note_executed(self) -> None:
        """Note that a word was executed, or that a section began: the stack is as it should be."""
        self.emptied_by = None

    def is_lost_name(self, name: str) -> bool:
        """Return whether a faulty statement, now lost, may have defined this name."""
        return name in self._root_by_lost_text

    def _root_of_wrong_count(self, code: str) -> int | None:
        """Return the root of a problem that says that a vector is too long or too short."""
        if code in WRONG_COUNTS:
            return self._root_of_lost_type
        return None

    def _add(self, new_problem: Problem, root: int | None) -> int:
        """Add a problem that follows from ``root``, or from none; return its root."""
        if root is None:
            self.problems.append(new_problem)
            return len(self.problems) - 1
        # Lists show the root alone, so it is an error if one of its followers is.
        if new_problem.severity is Severity.ERROR:
            self.problems[root] = replace(self.problems[root], severity=Severity.ERROR)
        self.problems.append(replace(new_problem, follows=True))
        return root

    def _note_lost(self, stack: Sequence[Item], root: int) -> None:
        """Note what the objects of a lost statement may have named."""
        texts = [item.value for item in stack if isinstance(item.value, str)]
        for text in texts:
            self._root_by_lost_text.setdefault(text, root)
        if len(texts) >= TEXTS_OF_TYPE and self._root_of_lost_type is None:
            self._root_of_lost_type = root
