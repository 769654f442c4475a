"""Names and notes of other programs, as our things have them.

``symbol_named`` finds the kind of thing for the name of a foreign icon, such as "castle" for
"Settlement/Castles"; ``plain_text`` makes a label of a note in HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from functools import cache

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.free.things import SYMBOLS
from randomizer.systems.interchange.foreign.pictures import table_rows


@registered(count=1, bytes_each=20 * KB)
@cache
def symbols() -> Mapping[str, str]:
    """Return the kind of thing for each word: names of kinds first, then their synonyms."""
    rows = [(symbol.name, symbol.name) for symbol in SYMBOLS]
    rows += [(kind, words) for kind, words in table_rows("wxx_symbols.tsv")]
    kinds = dict[str, str]()
    for kind, words in rows:
        for word in words.split():
            kinds[word] = kind
    return kinds


def symbol_named(name: str, missing: str = "flag") -> str:
    """Return the kind of thing that a word of a name means; ``missing`` if none does.

    ``name`` is that of a foreign icon, with or without its folders.
    """
    words = words_in(name)
    for word, kind in symbols().items():
        if word in words:
            return kind
    return missing


def words_in(name: str) -> set[str]:
    """Return the words of a name without its folder, also without an s or es at their end.

    Some of these are no words, which does no harm: "glasses" gives "glasse" and "glass".
    """
    words = set(re.findall("[a-z]+", name.rpartition("/")[2].lower()))
    without_s = {word.removesuffix("s") for word in words}
    without_es = {word.removesuffix("es") for word in words}
    return words | without_s | without_es


def plain_text(markup: str) -> str:
    """Return the text of HTML: a line for each paragraph, list item, table row and heading."""
    text = re.sub(r"\s+", " ", markup)
    text = re.sub(r"(?i)<br\b[^<>]*>|</(?:p|div|li|tr|h\d)>", "\n", text)
    lines = html.unescape(re.sub("<[^<>]*>", "", text)).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())
