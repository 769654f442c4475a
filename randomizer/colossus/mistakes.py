"""Known mistakes in scripts: the words for each, and the way out where one is known.

``explain`` is asked when the grammar refuses a token; the others when a word or number does not fit
its place. Each gives one Problem of severity error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.colossus import quotes
from randomizer.colossus.chunk import Chunk, bounds
from randomizer.colossus.misfits import glued, misspelt, rename
from randomizer.colossus.source import insert_after, insert_before, messages, replace
from randomizer.colossus.terrain_set import COLOSSUS
from randomizer.colossus.words import (
    FUNCTIONS,
    KEYWORDS,
    STATEMENTS,
    Kind,
    Position,
    fits,
    kind_of,
    nearest,
)
from randomizer.problems import Problem, TextEdit

if TYPE_CHECKING:
    from lark import Token
    from lark.parsers.lalr_interactive_parser import InteractiveParser

LIST_STARTERS = frozenset({"WORD", "LPAR", "SOMEOF", "SUBSTRACT", "SUBTRACT", "SURROUNDINGSOF"})
SECTIONS = ("HAZARDS", "HEXSIDES")
SIGNS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "EQUAL": "="}


def explain(chunk: Chunk, index: int, state: InteractiveParser) -> Problem:
    """Why the grammar, being in ``state``, refuses token ``index`` of ``chunk``.

    An index behind the last token means that the statement ends too early.
    """
    accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call]
    for known in _KNOWN:
        problem = known(chunk, index, accepted)
        if problem is not None:
            return problem
    return _unexpected(chunk, index, state, accepted)


def no_statement(chunk: Chunk) -> Problem:
    """``chunk`` does not begin with the keyword of a statement."""
    first = chunk.tokens[0]
    types = [token.type for token in chunk.tokens]
    if first.type in ("STRANGE", "BAD_QUOTE", "BYTE_ORDER_MARK"):
        return _strange(chunk, 0) or quotes.bad_quote(chunk, first)
    if first.type == "WORD":
        for keyword in STATEMENTS:
            if first.startswith(keyword) and kind_of(first[len(keyword) :]) is Kind.HEX:
                return glued(chunk, first, len(keyword))
        keyword_meant = nearest(first, STATEMENTS)
        if keyword_meant:
            return misspelt(chunk, first, keyword_meant)
    for sign, keyword in (("HAZARDS", "AREA"), ("HEXSIDES", "PAIR"), ("EQUAL", "LABEL")):
        if sign in types[1:]:
            edit = insert_before(chunk.span, f"{keyword} ")
            return chunk.problem("missing-keyword", first, [edit], keyword=keyword)
    return chunk.problem("not-a-statement", chunk.tokens, found=_shown(first))


def broken_over_lines(chunks: Sequence[Chunk]) -> Problem:
    """The chunks are one good statement, broken over lines (or with a comment in between)."""
    source = chunks[0].source
    ends = [source.offsets(chunk.span) for chunk in chunks]
    gaps = [(end, start) for (_, end), (start, _) in pairwise(ends)]
    edits = [source.edit(start, end, " ") for start, end in gaps]
    if any(source.text[start:end].strip() for start, end in gaps):
        edits = []  # a comment stands in between; joined, it would swallow the rest
    return source.problem("statement-over-lines", chunks[1].span, edits)


# The known mistakes of the shape, in the order in which they are asked.


def _strange(chunk: Chunk, index: int, _accepted: object = None) -> Problem | None:
    """A character that the language does not have."""
    if index == len(chunk.tokens):
        return None
    token = chunk.tokens[index]
    if token.type not in ("STRANGE", "BYTE_ORDER_MARK"):
        return None
    edits = [
        chunk.put(other, quotes.plain(other))
        for other in chunk.tokens
        if other.type in ("STRANGE", "BYTE_ORDER_MARK")
    ]
    return chunk.problem("unknown-character", token, edits, shown=quotes.name_of(token[0]))


def _bad_text(chunk: Chunk, index: int, _accepted: object) -> Problem | None:
    """A quote that does not end, or that holds what quotes cannot hold; a title without quotes."""
    if chunk.tokens[0].type in ("TITLE", "SUBTITLE") and len(chunk.tokens) > 1:
        return quotes.title(chunk)
    if index < len(chunk.tokens) and chunk.tokens[index].type == "BAD_QUOTE":
        return quotes.bad_quote(chunk, chunk.tokens[index])
    return None


def _label_name(chunk: Chunk, index: int, _accepted: object) -> Problem | None:
    """``LABEL`` and something that is no name, up to ``=``."""
    types = [token.type for token in chunk.tokens]
    if types[0] != "LABEL" or index > 2 or "EQUAL" not in types[2:]:
        return None
    words = chunk.tokens[1 : types.index("EQUAL")]
    start, end = bounds(words)
    written = chunk.source.text[start:end]
    if words[0] in KEYWORDS and len(words) == 1:
        return chunk.problem("label-is-keyword", words, rename(chunk, written), name=written)
    if words[0].type == "QUOTED" and len(words) == 1:
        new = quotes.label_name(written, chunk.labels)
        return chunk.problem("label-quoted", words, [chunk.source.edit(start, end, new)])
    return chunk.problem("label-name", words, rename(chunk, written), name=written)


def _negative(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """A minus sign before a number."""
    row = chunk.tokens[index : index + 2]
    if len(row) < 2 or row[0].type != "MINUS" or "NUMBER" not in accepted:
        return None
    zero = {"NUMBER": "0", "FPNUMBER": "0."}.get(row[1].type)
    if zero is None:
        return None
    return chunk.problem("negative-number", row, [chunk.put(row, zero)])


def _group(chunk: Chunk, index: int, _accepted: object) -> Problem | None:
    """Parentheses around several hexes or labels, or around nothing."""
    tokens = chunk.tokens
    start = index - 1
    while start >= 0 and tokens[start].type in ("WORD", "COMMA", "SUBTRACT"):
        start -= 1
    end = index
    while end < len(tokens) and tokens[end].type in ("WORD", "COMMA", "SUBTRACT"):
        end += 1
    if (
        start < 0
        or end >= len(tokens)
        or tokens[start].type != "LPAR"
        or tokens[end].type != "RPAR"
    ):
        return None
    if tokens[start - 1].type in FUNCTIONS or _in_section(chunk, index):
        return None
    group = tokens[start : end + 1]
    words = [token for token in group[1:-1] if token.type != "COMMA"]
    texts = [word if fits(word, Position.IN_LIST) else f"({word})" for word in words]
    edits = [chunk.put(group, " ".join(texts))]
    if not words:
        return chunk.problem("empty-parentheses", group, edits)
    return chunk.problem("hexes-in-parentheses", group, edits)


def _commas(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """Commas between hexes, between hazards, between hexsides, or behind the last of them."""
    tokens = chunk.tokens
    if index < len(tokens) and tokens[index].type == "COMMA" and accepted >= LIST_STARTERS:
        return chunk.problem(
            "comma-in-list",
            tokens[index],
            [_blank(chunk, comma) for comma in _commas_of_list(chunk, index)],
        )
    if not _in_section(chunk, index):
        return None
    section = next(at for at, token in enumerate(tokens) if token.type in SECTIONS)
    commas = [
        at
        for at in range(section + 1, len(tokens))
        if tokens[at].type == "COMMA"
        and (at + 1 == len(tokens) or tokens[at + 1].type not in ("NUMBER", "FPNUMBER", "STAR"))
        and (
            at + 1 == len(tokens)
            or kind_of(tokens[at + 1]) is not Kind.NAME
            or tokens[at + 1][0] != "."
        )
    ]
    if index in commas or index - 1 in commas:
        place = tokens[index if index in commas else index - 1]
        return chunk.problem("comma-in-list", place, [_blank(chunk, tokens[at]) for at in commas])
    return None


def _dots(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """A number with a dot where none may be, or one that begins with its dot."""
    if index == len(chunk.tokens) or "NUMBER" not in accepted:
        return None
    token = chunk.tokens[index]
    place = chunk.span_of(token)
    if token.type == "FPNUMBER":
        whole = token.split(".")[0]
        return chunk.problem("number-with-dot", token, [replace(place, whole)], whole=whole)
    if re.fullmatch(r"\.[0-9]+", token):
        edits = [insert_before(place, "0")] if "FPNUMBER" in accepted else [replace(place, "0")]
        return chunk.problem("number-begins-with-dot", token, edits)
    return None


def _pair_without_elevation(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """``PAIR (Plains)(Plains)``."""
    tokens = chunk.tokens
    if tokens[0].type != "PAIR" or _in_section(chunk, index) or accepted != {"COMMA"}:
        return None
    bare = [
        tokens[at]
        for at in range(1, len(tokens) - 1)
        if tokens[at - 1].type == "LPAR" and tokens[at + 1].type == "RPAR"
    ]
    edits = [insert_after(chunk.span_of(name), ",*") for name in bare]
    return chunk.problem("pair-without-elevation", bare, edits) if bare else None


def _quoted_hexside(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """``HEXSIDES "c"``."""
    if index == len(chunk.tokens) or "WORD" not in accepted:
        return None
    token = chunk.tokens[index]
    if token.type != "QUOTED":
        return None
    edits = [chunk.put(token, quotes.label_name(token, frozenset()))]
    return chunk.problem("word-in-quotes", token, edits)


def _near_keyword(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """A keyword or function that is misspelt, in small letters, or glued to its neighbour."""
    for at, token in enumerate(chunk.tokens[: index + 1]):
        if token.type != "WORD" or token in chunk.labels or COLOSSUS.has_terrain(token):
            continue
        if token.casefold() in (keyword.casefold() for keyword in STATEMENTS):
            return misspelt(chunk, token, token.upper())
        if not _in_section(chunk, at) and not fits(token, Position.IN_LIST):
            sections = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
            section = sections.get(chunk.tokens[0].type, "")
            keyword = nearest(token, tuple(filter(None, (section, *FUNCTIONS))))
            if keyword:
                return misspelt(chunk, token, keyword)
            if section and token.endswith(section):
                return glued(chunk, token, len(token) - len(section))
    return None


def _missing_section(chunk: Chunk, index: int, accepted: set[str]) -> Problem | None:
    """HAZARDS or HEXSIDES is not there."""
    for section in SECTIONS:
        if section not in accepted or any(token.type == section for token in chunk.tokens):
            continue
        if index == len(chunk.tokens):
            for at, token in enumerate(chunk.tokens[1:], 1):
                if (
                    token.type == "WORD"
                    and chunk.tokens[at - 1].type != "LPAR"
                    and not fits(token, Position.IN_LIST)
                ):
                    break
            else:
                edit = insert_after(chunk.span, f" {section}")
                return chunk.problem("missing-section", chunk.tokens[-1], [edit], section=section)
            index = at
        token = chunk.tokens[index]
        edit = insert_before(chunk.span_of(token), f"{section} ")
        return chunk.problem("missing-section", token, [edit], section=section)
    return None


_KNOWN: tuple[Callable[[Chunk, int, set[str]], Problem | None], ...] = (
    _bad_text,
    _strange,
    _label_name,
    _negative,
    _group,
    _near_keyword,
    _dots,
    _commas,
    _pair_without_elevation,
    _quoted_hexside,
    _missing_section,
)


def _unexpected(chunk: Chunk, index: int, state: InteractiveParser, accepted: set[str]) -> Problem:
    """No known mistake: what was expected and what was found; a sign is put in if that helps."""
    expected = " or ".join(_expected(chunk, index, accepted))
    if index == len(chunk.tokens):
        last = chunk.tokens[-1]
        edits = [
            insert_after(chunk.span_of(last), sign)
            for name, sign in SIGNS.items()
            if name in accepted and _helps(state, name, "$END")
        ]
        return chunk.problem("ends-too-early", last, edits[:1], expected=expected)
    token = chunk.tokens[index]
    edits = [
        insert_before(chunk.span_of(token), sign)
        for name, sign in SIGNS.items()
        if name in accepted and _helps(state, name, token.type)
    ]
    following = chunk.tokens[index + 1].type if index + 1 < len(chunk.tokens) else "$END"
    if (
        not edits
        and token.type in ("RPAR", "LPAR", "EQUAL", "MINUS", "COMMA")
        and following in accepted
    ):
        edits = [chunk.put(token, " ")]
    return chunk.problem("unexpected", token, edits[:1], expected=expected, found=_shown(token))


def _helps(state: InteractiveParser, inserted: str, following: str) -> bool:
    """Whether the parser would go on over ``following`` if ``inserted`` stood before it."""
    from lark import Token, UnexpectedToken

    trial: InteractiveParser = state.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
    try:
        trial.feed_token(Token(inserted, ""))
        trial.feed_token(Token(following, ""))
    except UnexpectedToken:
        return False
    return True


def _expected(chunk: Chunk, index: int, accepted: set[str]) -> list[str]:
    """In words, what could have stood at token ``index``."""
    words = messages()["expected"]
    rest = set(accepted)
    found = []
    if rest >= LIST_STARTERS:
        rest -= LIST_STARTERS
        found.append(words["list"]["text"])
    if rest & {"WORD", "QUOTED"}:
        rest -= {"WORD", "QUOTED", "SUBTRACT"}
        found.append(words[_role_of_word(chunk, index)]["text"])
    if {"NUMBER", "FPNUMBER", "STAR"} <= rest:
        rest -= {"NUMBER", "FPNUMBER", "STAR"}
        found.append(words["number"]["text"])
    elif "NUMBER" in rest:
        rest -= {"NUMBER", "STAR"}
        found.append(words["whole"]["text"])
    return found + [words[name]["text"] if name in words else f"`{name}`" for name in sorted(rest)]


def _role_of_word(chunk: Chunk, index: int) -> str:
    """What a word at token ``index`` would be."""
    statement = chunk.tokens[0].type
    if statement == "AREA" and _in_section(chunk, index):
        return "hazard"
    if statement == "PAIR":
        return "hexside" if _in_section(chunk, index) else "hazard"
    if statement in ("TITLE", "SUBTITLE"):
        return "title"
    return "label"


def _in_section(chunk: Chunk, index: int) -> bool:
    """Whether token ``index`` stands behind HAZARDS or HEXSIDES."""
    return any(token.type in SECTIONS for token in chunk.tokens[:index])


def _commas_of_list(chunk: Chunk, index: int) -> list[Token]:
    """The comma at ``index`` and those behind it in the same list."""
    found = []
    depth = 0
    for token in chunk.tokens[index:]:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth < 0 or token.type in SECTIONS:
            break
        if depth == 0 and token.type == "COMMA":
            found.append(token)
    return found


def _blank(chunk: Chunk, token: Token) -> TextEdit:
    return chunk.put(token, " ")


def _shown(token: Token) -> str:
    return f"`{token if len(token) <= 30 else token[:30] + '...'}`"
