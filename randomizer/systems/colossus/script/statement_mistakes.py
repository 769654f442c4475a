"""Known mistakes in the form of statements: a message for each, and a fix where one is known.

Each function of ``_KNOWN`` checks one ``ParseFailure`` and returns a Problem of severity error if
it recognises the mistake. Otherwise the message is "expected ..., found ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.parse_failure import SECTIONS, ParseFailure, quote_token
from randomizer.systems.colossus.script.source import insert_after, insert_before
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, bounds
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.word_mistakes import glued_words, misspelt_keyword, rename
from randomizer.systems.colossus.script.words import (
    FUNCTIONS,
    KEYWORDS,
    STATEMENTS,
    Position,
    WordKind,
    fits,
    kind_of,
    nearest,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS

_SECTION_OF = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
_STRANGE = ("STRANGE", "BYTE_ORDER_MARK")


def explain(failure: ParseFailure) -> Problem:
    """Return the problem of a statement that the grammar rejects."""
    for explanation in _KNOWN:
        problem = explanation(failure)
        if problem is not None:
            return problem
    return failure.problem()


def no_statement(raw: StatementTokens) -> Problem:
    """``raw`` does not begin with the keyword of a statement."""
    first = raw.tokens[0]
    if first.type in _STRANGE:
        return _strange_characters(raw, first)
    if first.type == "BAD_QUOTE":
        return quotes.bad_quote(raw, first)
    if first.type == "WORD":
        for keyword in STATEMENTS:
            if first.startswith(keyword) and kind_of(first[len(keyword) :]) is WordKind.HEX:
                return glued_words(raw, first, len(keyword))
        meant = nearest(first, (*STATEMENTS, *SECTIONS))
        if meant:
            return misspelt_keyword(raw, first, meant)
    types = [token.type for token in raw.tokens]
    for sign, keyword in (("HAZARDS", "AREA"), ("HEXSIDES", "PAIR"), ("EQUAL", "LABEL")):
        if sign in types[1:]:
            edit = insert_before(raw.span, f"{keyword} ")
            return raw.problem("missing-keyword", first, [edit], keyword=keyword)
    return raw.problem("not-a-statement", raw.tokens, found=quote_token(first))


def broken_over_lines(raws: Sequence[StatementTokens]) -> Problem:
    """``raws`` are one valid statement, broken over lines."""
    source = raws[0].source
    gaps = [(bounds(a.tokens)[1], bounds(b.tokens)[0]) for a, b in pairwise(raws)]
    edits = [source.edit(start, end, " ") for start, end in gaps]
    if any(source.text[start:end].strip() for start, end in gaps):
        edits = []  # a comment is in between; joined, it would hide the rest
    return source.problem("statement-over-lines", raws[1].span, edits)


def _strange_characters(raw: StatementTokens, token: Token) -> Problem:
    edits = [
        raw.replacing(other_token, quotes.plain(other_token))
        for other_token in raw.tokens
        if other_token.type in _STRANGE
    ]
    return raw.problem("unknown-character", token, edits, shown=quotes.name_of(token[0]))


def _bad_text(failure: ParseFailure) -> Problem | None:
    """Return a title without quotes, a quote that does not end or holds invalid characters."""
    raw = failure.raw
    token = failure.token
    if raw.tokens[0].type in ("TITLE", "SUBTITLE") and len(raw.tokens) > 1:
        return quotes.title(raw)
    if token is not None and token.type == "BAD_QUOTE":
        return quotes.bad_quote(raw, token)
    return None


def _strange(failure: ParseFailure) -> Problem | None:
    """Return a character that is not in the language."""
    token = failure.token
    if token is None or token.type not in _STRANGE:
        return None
    return _strange_characters(failure.raw, token)


def _label_name(failure: ParseFailure) -> Problem | None:
    """``LABEL``, then something that is no name, then ``=``; or a use of such a label."""
    raw = failure.raw
    index = failure.index
    types = [token.type for token in raw.tokens]
    if types[0] == "LABEL" and index <= 2 and "EQUAL" in types[2:] and types[1] != "EQUAL":
        words = raw.tokens[1 : types.index("EQUAL")]
    elif "RPAR" in types[index:] and "LPAR" in types[:index] and not failure.in_section:
        start = max(at for at in range(index) if types[at] == "LPAR")
        words = raw.tokens[start + 1 : types.index("RPAR", index)]
        touching = all(bounds(a)[1] == bounds(b)[0] for a, b in pairwise(words))
        if not (
            touching and {"WORD"} < {token.type for token in words} <= {"WORD", "NUMBER", "MINUS"}
        ):
            return None
    else:
        return None
    start, end = bounds(words)
    written = raw.source.text[start:end]
    if len(words) == 1 and words[0] in KEYWORDS:
        return raw.problem("label-is-keyword", words, rename(raw, written), name=written)
    if len(words) == 1 and words[0].type == "QUOTED":
        new = quotes.label_name(written, raw.labels)
        return raw.problem("label-quoted", words, [raw.replacing(words, new)])
    # A name of several words is fixed only here; elsewhere it can be written differently.
    edits = rename(raw, written) or (raw.replacing(words, quotes.label_name(written, raw.labels)),)
    return raw.problem("label-name", words, edits, name=written)


def _negative(failure: ParseFailure) -> Problem | None:
    """Return a minus sign before a number."""
    row = failure.raw.tokens[failure.index : failure.index + 2]
    if [token.type for token in row[:1]] != ["MINUS"] or "NUMBER" not in failure.accepted:
        return None
    zero = {"NUMBER": "0", "FPNUMBER": "0."}.get(row[-1].type)
    if zero is None:
        return None
    return failure.raw.problem("negative-number", row, [failure.raw.replacing(row, zero)])


def _pair_without_elevation(failure: ParseFailure) -> Problem | None:
    """``PAIR (Plains)(Plains)``."""
    raw = failure.raw
    tokens = failure.raw.tokens
    if tokens[0].type != "PAIR" or failure.in_section or failure.accepted != {"COMMA"}:
        return None
    bare = [
        name
        for before, name, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if before.type == "LPAR" and after.type == "RPAR"
    ]
    edits = [insert_after(raw.span_of(name), ",*") for name in bare]
    if bare:
        return raw.problem("pair-without-elevation", bare, edits)
    return None


def _group(failure: ParseFailure) -> Problem | None:
    """Parentheses around several hexes or labels, or around nothing."""
    tokens = failure.raw.tokens
    inside = ("WORD", "COMMA", "SUBTRACT")
    start = failure.index - 1
    end = failure.index
    while tokens[start].type in inside:
        start -= 1
    while end < len(tokens) and tokens[end].type in inside:
        end += 1
    group = tokens[start : end + 1]
    if group[0].type != "LPAR" or group[-1].type != "RPAR" or failure.in_section:
        return None
    if tokens[start - 1].type in FUNCTIONS or tokens[0].type == "PAIR":
        return None
    words = [token for token in group[1:-1] if token.type != "COMMA"]
    texts = [word if fits(word, Position.IN_LIST) else f"({word})" for word in words]
    code = "hexes-in-parentheses" if words else "empty-parentheses"
    return failure.raw.problem(code, group, [failure.raw.replacing(group, " ".join(texts))])


def _hex_in_two_words(failure: ParseFailure) -> Problem | None:
    """``D 4``."""
    token = failure.token
    if token is None or token.type != "NUMBER" or not failure.among_hexes:
        return None
    row = failure.raw.tokens[failure.index - 1 : failure.index + 1]
    word = "".join(row)
    if kind_of(word) is not WordKind.HEX:
        return None
    return failure.raw.problem(
        "hex-in-two-words", row, [failure.raw.replacing(row, word)], hex=word
    )


def _near_keyword(failure: ParseFailure) -> Problem | None:
    """Return a keyword or function that is misspelt, in lower case, or joined to its neighbour."""
    raw = failure.raw
    section = _SECTION_OF.get(raw.tokens[0].type)
    candidates = (*FUNCTIONS, section) if section else FUNCTIONS
    behind_section = False
    for token in raw.tokens[: failure.index + 1]:
        behind_section |= token.type in SECTIONS
        if token.type != "WORD" or token in raw.labels or COLOSSUS.has_terrain(token):
            continue
        if token.upper() in STATEMENTS:
            return misspelt_keyword(raw, token, token.upper())
        if behind_section or fits(token, Position.IN_LIST):
            continue
        if section and token.endswith(section):
            return glued_words(raw, token, len(token) - len(section))
        for function in FUNCTIONS:
            if token.endswith(function) and kind_of(token.removesuffix(function)) is WordKind.HEX:
                return glued_words(raw, token, len(token) - len(function))
        keyword = nearest(token, candidates)
        if keyword:
            return misspelt_keyword(raw, token, keyword)
    return None


def _dots(failure: ParseFailure) -> Problem | None:
    """Return a number with a dot where none is allowed, or one that begins with its dot."""
    raw = failure.raw
    token = failure.token
    if token is None or "NUMBER" not in failure.accepted:
        return None
    if token.type == "FPNUMBER":
        whole = token.split(".")[0]
        return raw.problem("number-with-dot", token, [raw.replacing(token, whole)], whole=whole)
    if re.fullmatch(r"\.[0-9]+", token):
        if "FPNUMBER" in failure.accepted:
            number = f"0{token}"
        else:
            number = "0"
        return raw.problem("number-begins-with-dot", token, [raw.replacing(token, number)])
    return None


def _commas(failure: ParseFailure) -> Problem | None:
    """Commas between hexes, hazards or hexsides, or after the last of them."""
    raw = failure.raw
    tokens = failure.raw.tokens
    index = failure.index
    section = next((at for at, token in enumerate(tokens) if token.type in SECTIONS), len(tokens))
    commas = [
        token
        for token, following in zip(tokens[section:], [*tokens[section + 1 :], None], strict=False)
        if token.type == "COMMA"
        and (following is None or following.type in ("WORD", "QUOTED", "COMMA"))
    ]
    if failure.token is not None and failure.token.type == "COMMA" and failure.among_hexes:
        place = failure.token
        commas += _commas_of_list(tokens[index:])
    else:
        near = [comma for comma in commas if any(comma is t for t in tokens[index - 1 : index + 1])]
        if not near:
            return None
        place = near[0]
    return raw.problem("comma-in-list", place, [raw.replacing(comma, " ") for comma in commas])


def _commas_of_list(tokens: Sequence[Token]) -> list[Token]:
    """Return the commas in ``tokens`` up to the end of the list in which they begin."""
    result = []
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth < 0 or token.type in SECTIONS:
            break
        if depth == 0 and token.type == "COMMA":
            result.append(token)
    return result


def _quoted_hexside(failure: ParseFailure) -> Problem | None:
    """``HEXSIDES "c"``."""
    token = failure.token
    if token is None or token.type != "QUOTED" or "WORD" not in failure.accepted:
        return None
    word = "".join(re.findall(r"[A-Za-z]+", token))
    edits = [failure.raw.replacing(token, word)] if word else []
    return failure.raw.problem("word-in-quotes", token, edits)


def _missing_section(failure: ParseFailure) -> Problem | None:
    """HAZARDS or HEXSIDES is missing."""
    raw = failure.raw
    section = _SECTION_OF.get(raw.tokens[0].type, "")
    if section not in failure.accepted or any(token.type == section for token in raw.tokens):
        return None
    # Words like hexes were read as hexes: the first other bare word is the hazard.
    rows = zip(raw.tokens, raw.tokens[1:], strict=False)
    bare = [b for a, b in rows if a.type != "LPAR" and b.type == "WORD"]
    token = next((b for b in bare if not fits(b, Position.IN_LIST)), failure.token)
    if token is not None and token.type == "COMMA":
        return None
    if token is None:
        edit = insert_after(raw.span, f" {section}")
        return raw.problem("missing-section", raw.tokens[-1], [edit], section=section)
    edit = insert_before(raw.span_of(token), f"{section} ")
    return raw.problem("missing-section", token, [edit], section=section)


_KNOWN: tuple[Callable[[ParseFailure], Problem | None], ...] = (
    _bad_text,
    _strange,
    _label_name,
    _negative,
    _pair_without_elevation,
    _group,
    _hex_in_two_words,
    _near_keyword,
    _missing_section,
    _dots,
    _commas,
    _quoted_hexside,
)
