"""The problems found while a period is read, and which of them follow from earlier ones.

One mistake in a text of the period language often makes several messages. A list of problems shows
the cause alone, so each later problem is marked as one that ``follows``. Three rules find causes::

    1 i oops speed              "oops" is undefined, which empties the stack: that ``speed`` then
                                lacks an argument follows from it
    "t" "tank" "a tank" oops    the names are lost with the stack, so that no type is defined:
    utype  5 tank speed         that "tank" is undefined follows from it,
    [ 1 2 3 ] u* hp             and that there are three values for two types
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.period.faults import NO_NAMES, Fault, Replacement, problem
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.tokens import Token

TEXTS_OF_TYPE = 3
"""The number of texts before a word that defines a type: character, name and help or colour."""

_WRONG_COUNTS = ("period-vector-lengths", "period-values-short")
"""The codes of problems of vectors that have another number of values than there are types."""


class ProblemLog:
    """Makes the problems of words, and marks those that follow from an earlier one.

    A *cause* is the index in ``problems`` of the problem from which others follow.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        """In the order in which they were found. Others may be appended directly."""

        self.emptied_by: Token | None = None
        """The undefined word that emptied the stack; None once another word was executed."""

        self._cause_by_undefined_word: dict[str, int] = {}
        """The undefined words so far, each with the cause of its first problem.

        That may be the problem of another word, with which the definition of this one was lost.
        """

        self._cause_by_lost_text: dict[str, int] = {}
        """The texts on the stack when a faulty statement emptied it: each may have been a name."""

        self._cause_of_lost_type: int | None = None
        """The problem of the first lost statement that seems to define a type; None without one."""

    def report(
        self,
        file: PeriodFile,
        token: Token,
        code: str,
        named: Mapping[str, object] = NO_NAMES,
        fix: Replacement | None = None,
    ) -> None:
        """Add a problem of a token; the arguments are as for ``problem`` of faults.py."""
        cause = None
        if code in _WRONG_COUNTS:
            cause = self._cause_of_lost_type
        self._add(problem(code, file, token.span, named, fix), cause)

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
        # A lost definition is a better reason than that the word was undefined before.
        cause = self._cause_by_lost_text.get(name, self._cause_by_undefined_word.get(name))
        cause = self._add(
            problem("period-undefined-word", file, token.span, {"word": name}, fix), cause
        )
        self._cause_by_undefined_word.setdefault(name, cause)
        self._note_lost(stack, cause)
        self.emptied_by = token

    def report_fault(
        self, file: PeriodFile, token: Token, fault: Fault, stack: Sequence[Item]
    ) -> None:
        """Add the problem of a word that could not be executed.

        ``stack`` are the objects that stood before the word: whatever they should have become is
        lost.
        """
        # Whatever is wrong with the stack may be since it was emptied.
        cause = None
        if self.emptied_by is not None:
            cause = self._cause_by_undefined_word[str(self.emptied_by.value)]
        elif fault.code in _WRONG_COUNTS:
            cause = self._cause_of_lost_type
        cause = self._add(problem(fault.code, file, token.span, fault.named), cause)
        self._note_lost(stack, cause)

    def is_lost_name(self, name: str) -> bool:
        """Return whether a faulty statement, now lost, may have defined this name."""
        return name in self._cause_by_lost_text

    def _add(self, new_problem: Problem, cause: int | None) -> int:
        """Add a problem that follows from ``cause``, if that is not None.

        Returns the cause of problems that follow from this one: the same, or its own index. The
        cause of an error becomes an error, too, since lists show it alone.
        """
        if cause is None:
            self.problems.append(new_problem)
            return len(self.problems) - 1
        if new_problem.severity is Severity.ERROR:
            self.problems[cause] = replace(self.problems[cause], severity=Severity.ERROR)
        self.problems.append(replace(new_problem, follows=True))
        return cause

    def _note_lost(self, stack: Sequence[Item], cause: int) -> None:
        """Note what the objects of a lost statement may have named."""
        # Texts may have been names. If one of them is undefined further below, this loss is why.
        texts = [item.value for item in stack if isinstance(item.value, str)]
        for text in texts:
            self._cause_by_lost_text.setdefault(text, cause)
        if len(texts) >= TEXTS_OF_TYPE and self._cause_of_lost_type is None:
            self._cause_of_lost_type = cause
