"""Converts lark's tree of one statement to the typed syntax tree (``syntax.py``).

Two things that the grammar leaves open are decided here: the meaning of a word, by its position,
and that of the numbers after a hazard. An invalid statement raises ProblemError with one error;
spellings that the game rejects, but documents or common sense allow, give warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.problems import Problem, ProblemError, TextEdit
from randomizer.systems.colossus.board import HEX_AT, HEX_OF_LABEL
from randomizer.systems.colossus.script import word_mistakes
from randomizer.systems.colossus.script.source import Renaming, insert_after, insert_before
from randomizer.systems.colossus.script.syntax import (
    STAR,
    Area,
    Hazard,
    HexItem,
    HexsideChoice,
    Item,
    Label,
    LabelItem,
    Pair,
    PairEnd,
    RangeItem,
    SomeOf,
    Span,
    StartList,
    Statement,
    Subtract,
    SurroundingsOf,
    Title,
    Tower,
)
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import Position, WordKind, fits, kind_of
from randomizer.systems.colossus.terrain_set import COLOSSUS, HAZARD_OF_ALIAS, HAZARD_OF_LETTER

if TYPE_CHECKING:
    from lark import Tree

    from randomizer.systems.colossus.script.statement_tokens import StatementTokens

LARGEST_NUMBER = 2**31 - 1
"""The game reads numbers into 32 bits and fails on longer ones."""

_MAX_DIGITS = 10
"""The digits of ``LARGEST_NUMBER``: Python refuses to convert numbers of thousands of digits."""

_LARGEST_DECIMAL = 1e30
"""The largest percentage; a longer one means the same, but could be infinite as a float."""


_FORMS_OF_NUMBERS = {"NUMBER": "e", "FPNUMBER": "p", "STAR": "*"}
"""The signs for numbers after a hazard: without a dot, with one, and ``*``."""


class _HazardName(NamedTuple):
    """The name of a hazard, as ``syntax.Hazard`` and ``syntax.PairEnd`` have it."""

    name: str
    """The terrain's name in the game; the word as written if the game has no such terrain."""
    word: str
    """The name as written, without quotes."""
    is_known: bool
    """Whether the game has the terrain."""


class TreeReader:
    """Reads the tree of one statement, whose tokens are ``row``.

    Example::

        reader = TreeReader(row)
        statement = reader.statement(tree)       # or ProblemError
        problems += reader.warnings
    """

    def __init__(self, row: StatementTokens) -> None:
        self.row = row
        self.warnings: list[Problem] = []
        """The warnings of the statement that was read."""
        self._some_of_count = 0
        """The number of SOMEOFs read so far."""

    def statement(self, tree: Tree[Token]) -> Statement:
        """Return the statement of ``tree``. Raises ProblemError if it is invalid."""
        span = self.row.span
        children = tree.children
        match str(tree.data):
            case "area":
                hexes, hazards_word, *hazards = children
                head = self.row.text_before(_token(hazards_word))
                hazard_list = tuple(self._hazard(_tree(hazard)) for hazard in hazards)
                return Area(span, self._items(hexes), hazard_list, head)
            case "label":
                name, hexes = children
                return self._label(span, _token(name), _tree(hexes))
            case "pair":
                high, low, hexsides_word, *choices = children
                return Pair(
                    span,
                    self._pair_end(_tree(high)),
                    self._pair_end(_tree(low)),
                    tuple(self._choice(_tree(choice)) for choice in choices),
                    self.row.text_before(_token(hexsides_word)),
                )
            case "startlist":
                return StartList(span, self._items(children[0]))
            case "tower":
                return Tower(span)
            case "title":
                return self._title(span, _token(children[0]), is_subtitle=False)
            case "subtitle":
                return self._title(span, _token(children[0]), is_subtitle=True)
            case kind:
                raise AssertionError(f"the grammar has no statement {kind}")

    def _label(self, span: Span, name: Token, hexes: Tree[Token]) -> Label:
        """Return the statement that sets a label. Raises ProblemError for an invalid name."""
        if name.type == "WORD" and not fits(name, Position.LABEL):
            raise ProblemError(word_mistakes.label_name_problem(self.row, name))
        if kind_of(name) is WordKind.SMALL_LETTER:
            self._warn(
                "label-of-one-letter", name, word_mistakes.renaming_of(self.row, name), name=name
            )
        return Label(span, str(name), self.row.span_of(name), self._items(hexes))

    def _title(self, span: Span, name: Token, *, is_subtitle: bool) -> Title:
        """Return a title, or a subtitle. Raises ProblemError if it must be in quotes."""
        if name.type == "WORD" and not fits(name, Position.TITLE):
            raise ProblemError(word_mistakes.bare_title_problem(self.row, name))
        return Title(span, name.strip('"'), is_subtitle)

    def _items(self, tree: Any) -> tuple[Item, ...]:
        """Return the items of the tree of a list."""
        return tuple(self._item(child) for child in tree.children)

    def _item(self, tree: Tree[Token]) -> Item:
        """Return one item of a list, with those in its parentheses."""
        span = self.row.source.span(tree.meta.start_pos, tree.meta.end_pos)
        children: Any = tree.children
        match str(tree.data):
            case "hex":
                return self._hex(span, children[0])
            case "range":
                xs, ys = children
                return self._range(span, xs.children, ys.children)
            case "label_use":
                return self._label_use(span, children[0])
            case "some_of":
                # Numbered before its list is read: outer before inner, as they stand in the text.
                site = self._some_of_count
                self._some_of_count += 1
                count, hexes = children
                return SomeOf(span, self._number(count), self._items(hexes), site)
            case "subtract":
                keyword, hexes, without = children
                if keyword.type == "SUBTRACT":
                    edits = [self.row.replace(keyword, "SUBSTRACT")]
                    self._warn("subtract-spelling", keyword, edits)
                return Subtract(span, self._items(hexes), self._items(without))
            case "surroundings_of":
                return SurroundingsOf(span, self._items(children[0]))
            case kind:
                raise AssertionError(f"the grammar has no item {kind}")

    def _hex(self, span: Span, word: Token) -> HexItem:
        """Return a hex of a list. Raises ProblemError for another word."""
        if not fits(word, Position.IN_LIST):
            raise ProblemError(word_mistakes.hex_problem(self.row, word))
        label = word.upper()
        if label not in HEX_OF_LABEL:  # it has the form of a hex, and is off the board
            return HexItem(span, label, ())
        return HexItem(span, label, (HEX_OF_LABEL[label],))

    def _label_use(self, span: Span, name: Token) -> LabelItem:
        """Return a label in a list. Raises ProblemError for a word that cannot be one."""
        if not fits(name, Position.LABEL_USE):
            raise ProblemError(word_mistakes.label_use_problem(self.row, name))
        return LabelItem(span, str(name))

    def _range(self, span: Span, xs: Sequence[Token], ys: Sequence[Token]) -> RangeItem:
        """Return a range of coordinates; of x and of y there are one or two numbers each."""
        first_x = self._number(xs[0])
        last_x = self._number(xs[-1])
        first_y = self._number(ys[0])
        last_y = self._number(ys[-1])
        hexes = []
        for (x, y), number in HEX_AT.items():
            if first_x <= x <= last_x and first_y <= y <= last_y:
                hexes.append(number)
        return RangeItem(
            span,
            first_x=first_x,
            last_x=last_x,
            first_y=first_y,
            last_y=last_y,
            hexes=tuple(hexes),
        )

    def _hazard(self, tree: Tree[Token]) -> Hazard:
        """Return a hazard with its numbers. Raises ProblemError for numbers without a meaning.

        Their count and their dots decide: ``e`` is an elevation, ``p.`` a probability, ``p.,e``
        both, ``p.,a.,b.,c.`` a probability and the odds of three elevations. ``*`` can be either.
        The game rejects odds alone, ``a.,b.,c.``; here they give a warning.
        """
        span = self.row.source.span(tree.meta.start_pos, tree.meta.end_pos)
        word, *numbers = (_token(child) for child in tree.children)
        hazard_name = self._hazard_name(word)

        # For instance "pe" for ``75.,2``, and "p*" for ``75.,*``.
        form = "".join(_FORMS_OF_NUMBERS[number.type] for number in numbers)
        probability = None
        elevation = None
        odds = None
        if form == "e":
            elevation = self._number(numbers[0])
        elif re.fullmatch("[p*]", form):
            probability = _decimal(numbers[0])
        elif re.fullmatch("[p*][e*]", form):
            probability = _decimal(numbers[0])
            elevation = self._number(numbers[1])
        elif re.fullmatch("[p*]{4}", form):
            probability = _decimal(numbers[0])
            odds = _three_decimals(numbers[1:])
        elif re.fullmatch("[p*]{3}", form):
            odds = _three_decimals(numbers)
            edits = [insert_before(self.row.span_of(numbers[0]), "100.,")]
            self._warn("odds-without-probability", numbers, edits)
        elif numbers:
            raise ProblemError(word_mistakes.hazard_numbers_problem(self.row, numbers))
        return Hazard(
            span,
            name=hazard_name.name,
            word=hazard_name.word,
            is_known=hazard_name.is_known,
            probability=probability,
            elevation=elevation,
            odds=odds,
        )

    def _hazard_name(self, token: Token) -> _HazardName:
        """Return the name of a hazard; a letter or an alias that stands for one gives a warning.

        Raises ProblemError for a word that cannot be a name.
        """
        word = token.strip('"')
        if token.type == "WORD" and not fits(word, Position.HAZARD):
            raise ProblemError(word_mistakes.hazard_name_problem(self.row, token))
        if COLOSSUS.has_terrain(word):
            return _HazardName(word, word, is_known=True)
        for code, names in (("hazard-letter", HAZARD_OF_LETTER), ("hazard-alias", HAZARD_OF_ALIAS)):
            if word in names:
                edit = self.row.replace(token, names[word])
                self._warn(code, token, [edit], word=word, name=names[word])
                return _HazardName(names[word], word, is_known=True)
        return _HazardName(word, word, is_known=False)

    def _pair_end(self, tree: Tree[Token]) -> PairEnd:
        """Return the higher or the lower end of a PAIR."""
        span = self.row.source.span(tree.meta.start_pos, tree.meta.end_pos)
        name, elevation = (_token(child) for child in tree.children)
        hazard_name = self._hazard_name(name)
        return PairEnd(
            span,
            name=hazard_name.name,
            word=hazard_name.word,
            is_known=hazard_name.is_known,
            elevation=self._number(elevation),
        )

    def _choice(self, tree: Tree[Token]) -> HexsideChoice:
        """Return a hexside of a PAIR. Raises ProblemError for a probability without a dot."""
        span = self.row.source.span(tree.meta.start_pos, tree.meta.end_pos)
        letter, *numbers = (_token(child) for child in tree.children)
        if not numbers:
            return HexsideChoice(span, str(letter), None)
        number = numbers[0]
        if number.type == "NUMBER":
            edits = [insert_after(self.row.span_of(number), ".")]
            raise ProblemError(self.row.problem("hexside-probability", number, edits))
        return HexsideChoice(span, str(letter), _decimal(number))

    def _number(self, token: Token) -> int:
        """Return a whole number, STAR for ``*``. Raises ProblemError if it is too large."""
        if token.type == "STAR":
            return STAR
        digits = token.lstrip("0") or "0"
        if len(digits) > _MAX_DIGITS or int(digits) > LARGEST_NUMBER:
            raise ProblemError(self.row.problem("number-too-large", token))
        return int(digits)

    def _warn(
        self,
        code: str,
        tokens: Token | Sequence[Token],
        edits: Iterable[TextEdit] | Renaming,
        **fields: str,
    ) -> None:
        """Add a warning; ``fields`` fill the braces of its message."""
        self.warnings.append(self.row.problem(code, tokens, edits, **fields))


def _decimal(token: Token) -> float:
    """Return a number with a dot, ``STAR`` (-1) for ``*``; ``_LARGEST_DECIMAL`` at most."""
    if token.type == "STAR":
        return float(STAR)
    return min(float(token), _LARGEST_DECIMAL)


def _three_decimals(tokens: Sequence[Token]) -> tuple[float, float, float]:
    """Return the odds of three elevations."""
    first, second, third = (_decimal(token) for token in tokens)
    return first, second, third


def _token(child: Any) -> Token:
    """Return a child that is always a token by the grammar."""
    token: Token = child
    return token


def _tree(child: Any) -> Tree[Token]:
    """Return a child that is always a tree by the grammar."""
    tree: Tree[Token] = child
    return tree
