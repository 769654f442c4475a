"""Reads sections of the period language token by token, and executes each token.

    interpreter = Interpreter()
    interpreter.read(file, offset_of_the_section, extends=False)
    interpreter.execution.parts.units       # the unit types that it has defined

A number or a text is pushed on the stack of the ``Execution``. A word of the language is executed
by commands.py or, if it sets a value, by assigning.py. Any other word must be a name, and pushes
the object that the name stands for. A word that cannot be executed is reported and left out, so
that one reading finds all mistakes.

``read_traced`` (reading.py) calls ``Interpreter.read`` for each file of a period.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.period.assigning import assign
from randomizer.systems.xconq.period.commands import COMMANDS
from randomizer.systems.xconq.period.execution import Execution
from randomizer.systems.xconq.period.faults import Fault, make_problem
from randomizer.systems.xconq.period.missing_quotes import missing_quote
from randomizer.systems.xconq.period.objects import Item, PeriodFile
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import (
    MAX_NUMBER,
    MIN_NUMBER,
    Shape,
    words,
)

MAX_TOKENS = 400_000
"""Reading stops after so many tokens; the longest known period has some 6,000."""

MAX_PROBLEMS = 200
"""Reading stops after so many problems."""

_MAX_SUGGESTIONS = 30
"""How many different undefined words get a suggestion. With more, a faulty text is read slowly."""

_LONGEST_SUGGESTED = 40
"""The most characters of an undefined word that gets a suggestion: similarity is slow to tell."""

_MIN_SIMILARITY = 0.75
"""How similar a word must be to be suggested, a ratio of ``get_close_matches``.

If larger, fewer typing mistakes get a suggestion; if smaller, more suggestions are wrong.
"""

_LONGEST_QUOTED_NUMBER = 40
"""The most characters of a number that a message quotes."""


class Interpreter:
    """Reads sections one after the other, and stops for good after too much text or mistakes."""

    def __init__(self, trace: Callable[[PeriodFile, Token], None] | None = None) -> None:
        """Begin without a period. ``trace`` is called with each token before it is executed."""
        self.execution = Execution()
        self.has_stopped = False
        """True if reading stopped before the end of the period."""
        self.end = 0
        """The offset behind the section that was read last."""
        self.texts_over_lines: list[tuple[PeriodFile, Token]] = []
        """The texts in quotes that go over a line end; a quote may be missing in such a text."""
        self._trace = trace
        self._tokens_read = 0
        """The number of tokens of all sections so far."""
        self._suggestions: dict[str, str | None] = {}
        """The suggestion for each undefined word so far, None if no word is like it."""
        self._has_told_of_imports = False
        """Whether the use of a name of an earlier section was reported already: once is enough."""

    def stop(self) -> None:
        """Note that a section is left out, so that the period is not whole."""
        self.has_stopped = True

    def read(self, file: PeriodFile, offset: int, *, extends: bool) -> None:
        """Read the section of ``file`` that begins at an offset, behind the line ``Period n``.

        Where it ``extends`` the period read before, it changes that; otherwise that is forgotten,
        but for names of sides and units.
        """
        self.execution.begin_section(file, offset, extends=extends)
        for token in self._tokens_of_section():
            self._execute(token)
        self.end = self.execution.tokens.at

    # --- the section ------------------------------------------------------------------------------

    def _tokens_of_section(self) -> Iterator[Token]:
        """Yield the tokens of the section up to the word ``end``, or to one of the bounds."""
        execution = self.execution
        while (token := execution.tokens.next()) is not None:
            self._tokens_read += 1
            if self._trace is not None:
                self._trace(execution.file, token)
            if token.value == "end" and token.kind is TokenKind.SYMBOL:
                self._end_section(token)
                return
            if self._tokens_read > MAX_TOKENS:
                self.has_stopped = True
                execution.report("period-too-long", token, {"most": MAX_TOKENS})
                return
            if len(execution.log.problems) >= MAX_PROBLEMS:
                self.has_stopped = True
                execution.report("period-too-many-problems", token, {"most": MAX_PROBLEMS})
                return
            yield token
        self._report_missing_end()

    def _end_section(self, token: Token) -> None:
        """Execute the word ``end``: report objects that no word has taken from the stack."""
        execution = self.execution
        # Only if nothing else is wrong: words that failed leave their arguments.
        if execution.stack and not execution.log.problems:
            count = counted(len(execution.stack), "object")
            execution.report("period-left-over", execution.stack[0].first, {"count": count})
        if token.comment is not None:
            self._warn_of_comment(token, token.comment)

    def _report_missing_end(self) -> None:
        """Report a section that ends with the text instead of with ``end``."""
        execution = self.execution
        file = execution.file
        text_end = len(file.text)

        # The last token is lost if the text ends in the middle of it.
        lost = execution.tokens.lost
        if lost is not None and lost.kind is TokenKind.STRING:
            execution.log.append(missing_quote(file, lost.start))
        elif lost is not None:
            word = file.text[lost.start : lost.end]
            line_end = (text_end, text_end, "\n")
            execution.report("period-last-token", lost, {"word": word}, line_end)
            if lost.value == "end":
                return  # only the line end behind ``end`` is missing

        missing_end = "end\n"
        if not file.text.endswith("\n"):
            missing_end = "\nend\n"
        span = (text_end, text_end)
        fix = (*span, missing_end)
        execution.log.append(make_problem("period-no-end", file, span, fix=fix))

    # --- a token ----------------------------------------------------------------------------------

    def _execute(self, token: Token) -> None:
        """Push a number or a text, or execute a word."""
        execution = self.execution
        if token.comment is not None:
            self._warn_of_comment(token, token.comment)
        if token.kind is TokenKind.NUMBER:
            if token.swallowed:  # ``12x``: the number ends at the letter, which is lost
                blank = (token.end, token.end, " ")
                named = {"character": token.swallowed}
                execution.report("period-number-runs-on", token, named, blank)
            number = self._number_in_range(token)
            execution.push(Item(number, token, token, is_literal=True))
        elif token.kind is TokenKind.STRING:
            if "\n" in str(token.value):
                self.texts_over_lines.append((execution.file, token))
            execution.push(Item(token.value, token, token))
        else:
            self._execute_word(token, str(token.value))

    def _warn_of_comment(self, token: Token, comment: int) -> None:
        """Warn of a comment inside a token, at the offset ``comment`` of the text."""
        named = {"word": f"“{token.value}”"}
        if token.kind is TokenKind.STRING:
            self.execution.report("period-comment-in-text", token, named)
        else:
            blank = (comment, comment, " ")
            self.execution.report("period-comment-in-token", token, named, blank)

    def _number_in_range(self, token: Token) -> int:
        """Return the number of a token; 0 if it has more than 16 bits, which is reported."""
        number = int(token.value)
        if MIN_NUMBER <= number <= MAX_NUMBER:
            return number
        written = self.execution.file.text[token.start : token.end]
        named = {"number": written[:_LONGEST_QUOTED_NUMBER]}
        self.execution.report("period-number-range", token, named)
        return 0

    def _execute_word(self, token: Token, name: str) -> None:
        """Execute a word of the language, or push the object that a name stands for."""
        execution = self.execution
        word = words().get(name)
        if word is None:
            self._push_named(token, name)
            return
        stack_before = tuple(execution.stack)
        try:
            if word.shape is Shape.COMMAND:
                COMMANDS[name](execution, token)
            else:
                assign(execution, word, token)
            execution.log.note_executed()
        except Fault as fault:
            execution.log.report_fault(execution.file, token, fault, stack_before)

    def _push_named(self, token: Token, name: str) -> None:
        """Push the object that a name stands for; 0 for a word that was not defined."""
        execution = self.execution
        imported_names = execution.parts.imported_names
        if name in execution.names:
            item = execution.names[name]
        elif name in imported_names:
            # The original program forgets all names at each section, so it stops here.
            if not self._has_told_of_imports:
                execution.report("period-included-name", token, {"word": name})
                self._has_told_of_imports = True
            item = imported_names[name]
        else:
            self._report_undefined(token, name)
            # As in the original program the word counts as 0, and empties the stack.
            execution.stack = []
            item = Item(0, token, token)
        execution.push(item._replace(first=token, last=token))

    def _report_undefined(self, token: Token, name: str) -> None:
        """Report a word that means nothing, with the word that was probably meant."""
        execution = self.execution
        suggestion = None
        # A name whose definition was faulty is written as it should be: only that is to be mended.
        if not execution.log.is_lost_name(name):
            suggestion = self._suggestion(name)
        execution.log.report_undefined(execution.file, token, execution.stack, suggestion)

    def _suggestion(self, name: str) -> str | None:
        """Return the word that was probably meant, None if no word is like it.

        If ``name`` is the beginning, up to a hyphen, of one word alone, it is that word:
        ``repair-scale`` for ``repair``. Otherwise it is the most similar word.
        """
        if name in self._suggestions:
            return self._suggestions[name]
        if len(self._suggestions) >= _MAX_SUGGESTIONS or len(name) > _LONGEST_SUGGESTED:
            return None
        execution = self.execution
        known_words = [*words(), *execution.names, *execution.parts.imported_names]
        candidates = [word for word in known_words if word.startswith(f"{name}-")]
        if len(candidates) != 1:
            candidates = get_close_matches(name, known_words, n=1, cutoff=_MIN_SIMILARITY)
        suggestion = None
        if candidates:
            suggestion = candidates[0]
        self._suggestions[name] = suggestion
        return suggestion
