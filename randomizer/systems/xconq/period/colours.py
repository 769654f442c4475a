"""The colours that periods name for their terrain types: those of X11's list, and exact ones.

A period is read by a program for X11, so its colours are what X11 understands::

    x11_colour("Dark Green")            # "#006400"
    x11_colour("#0f0")                  # "#00f000": a single digit is followed by 0
    x11_colour("forest")                # None
    terrain_colour("forest", "woods")   # some colour, always the same for "woods"

The checks of periods call ``x11_colour``; terrain sets are drawn with ``terrain_colour``.
"""

from __future__ import annotations

import colorsys
import re
import zlib
from functools import cache

from randomizer.model.basics.caches import KB, registered

_NAMED = """
    aliceblue=f0f8ff antiquewhite=faebd7 aquamarine=7fffd4 azure=f0ffff beige=f5f5dc
    bisque=ffe4c4 black=000000 blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2
    brown=a52a2a burlywood=deb887 cadetblue=5f9ea0 chartreuse=7fff00 chocolate=d2691e
    coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc cyan=00ffff darkblue=00008b
    darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9 darkgreen=006400 darkkhaki=bdb76b
    darkmagenta=8b008b darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc
    darkred=8b0000 darksalmon=e9967a darkseagreen=8fbc8f darkslateblue=483d8b
    darkslategray=2f4f4f darkturquoise=00ced1 darkviolet=9400d3 deeppink=ff1493
    deepskyblue=00bfff dimgray=696969 dodgerblue=1e90ff firebrick=b22222 floralwhite=fffaf0
    forestgreen=228b22 gainsboro=dcdcdc ghostwhite=f8f8ff gold=ffd700 goldenrod=daa520
    gray=bebebe green=00ff00 greenyellow=adff2f honeydew=f0fff0 hotpink=ff69b4
    indianred=cd5c5c ivory=fffff0 khaki=f0e68c lavender=e6e6fa lavenderblush=fff0f5
    lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6 lightcoral=f08080 lightcyan=e0ffff
    lightgoldenrod=eedd82 lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90
    lightpink=ffb6c1 lightsalmon=ffa07a lightseagreen=20b2aa lightskyblue=87cefa
    lightslateblue=8470ff lightslategray=778899 lightsteelblue=b0c4de lightyellow=ffffe0
    limegreen=32cd32 linen=faf0e6 magenta=ff00ff maroon=b03060 mediumaquamarine=66cdaa
    mediumblue=0000cd mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371
    mediumslateblue=7b68ee mediumspringgreen=00fa9a mediumturquoise=48d1cc
    mediumvioletred=c71585 midnightblue=191970 mintcream=f5fffa mistyrose=ffe4e1
    moccasin=ffe4b5 navajowhite=ffdead navy=000080 navyblue=000080 oldlace=fdf5e6
    olivedrab=6b8e23 orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa
    palegreen=98fb98 paleturquoise=afeeee palevioletred=db7093 papayawhip=ffefd5
    peachpuff=ffdab9 peru=cd853f pink=ffc0cb plum=dda0dd powderblue=b0e0e6 purple=a020f0
    red=ff0000 rosybrown=bc8f8f royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072
    sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee sienna=a0522d skyblue=87ceeb
    slateblue=6a5acd slategray=708090 snow=fffafa springgreen=00ff7f steelblue=4682b4
    tan=d2b48c thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0 violet=ee82ee violetred=d02090
    wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00 yellowgreen=9acd32
"""
"""X11's names, in small letters without blanks; ``grey`` is ``gray``."""

_BRIGHT = """
    antiquewhite=ffefdb brown=ff4040 burlywood=ffd39b cadetblue=98f5ff chocolate=ff7f24
    coral=ff7256 darkgoldenrod=ffb90f darkolivegreen=caff70 darkorange=ff7f00
    darkorchid=bf3eff darkseagreen=c1ffc1 darkslategray=97ffff firebrick=ff3030
    goldenrod=ffc125 hotpink=ff6eb4 indianred=ff6a6a khaki=fff68f lightblue=bfefff
    lightgoldenrod=ffec8b lightpink=ffaeb9 lightskyblue=b0e2ff lightsteelblue=cae1ff
    maroon=ff34b3 mediumorchid=e066ff mediumpurple=ab82ff olivedrab=c0ff3e orchid=ff83fa
    palegreen=9aff9a paleturquoise=bbffff palevioletred=ff82ab pink=ffb5c5 plum=ffbbff
    purple=9b30ff rosybrown=ffc1c1 royalblue=4876ff salmon=ff8c69 seagreen=54ff9f
    sienna=ff8247 skyblue=87ceff slateblue=836fff slategray=c6e2ff steelblue=63b8ff tan=ffa54f
    thistle=ffe1ff turquoise=00f5ff violetred=ff3e96 wheat=ffe7ba
"""
"""The first of four shades, for colours in which it is not the colour of the plain name."""

_SHADED = """
    aquamarine azure bisque blue chartreuse cornsilk cyan deeppink deepskyblue dodgerblue gold
    green honeydew ivory lavenderblush lemonchiffon lightcyan lightsalmon lightyellow magenta
    mistyrose navajowhite orange orangered peachpuff red seashell snow springgreen tomato
    yellow
"""
"""Colours with four shades, of which the first is the colour of the plain name."""

_SHADES = (1.0, 0.933, 0.804, 0.546)
"""The brightness of the shades 1 to 4 as a share of that of the first shade.

X11's own list has rounded values, from which these differ by at most 4 of 255.
"""


_HUES = 360
"""The number of hues of made-up colours."""

_LOWEST_LIGHTNESS = 0.45
"""The lightness of the darkest made-up colours."""

_LIGHTNESS_STEPS = 20
"""The number of lightnesses of made-up colours, each 0.01 lighter than the one before."""

_SATURATION = 0.4
"""The saturation of made-up colours.

If it is larger, texts on them are harder to read; if smaller, terrain types to tell apart.
"""


def _read_table(text: str) -> dict[str, str]:
    """Return the colours of one of the tables above: six hexadecimal digits by name."""
    return dict(pair.split("=") for pair in text.split())


@registered(count=1, bytes_each=150 * KB)
@cache
def _colours() -> dict[str, str]:
    """Return six hexadecimal digits for each name that X11 knows, in small letters."""
    colours = _read_table(_NAMED)

    # Four shades of many colours: ``brown1`` to ``brown4``.
    first_shades = _read_table(_BRIGHT)
    first_shades |= {name: colours[name] for name in _SHADED.split()}
    for name, digits in first_shades.items():
        for number, share in enumerate(_SHADES, 1):
            channels = [round(channel * share) for channel in bytes.fromhex(digits)]
            colours[f"{name}{number}"] = bytes(channels).hex()

    # Greys by their brightness in percent: ``gray0`` is black, ``gray100`` white. X11 rounds half
    # up, ``round`` would round half to even.
    for percent in range(101):
        brightness = int(percent * 2.55 + 0.5)
        colours[f"gray{percent}"] = f"{brightness:02x}" * 3
    return colours


def x11_colour(words: str) -> str | None:
    """Return ``#rrggbb`` for a colour as X11 understands it; None if it does not.

    It can be a name in any case, with or without blanks; ``#`` with one to four hexadecimal digits
    a channel; or ``rgb:r/g/b`` with one to four digits a channel.
    """
    text = re.sub(r"\s+", "", words).lower()
    if re.fullmatch(r"#([0-9a-f]{3}){1,4}", text):
        # The first two digits of each channel; a single one is followed by 0, as in X11.
        length = (len(text) - 1) // 3
        channels = [text[start : start + length] for start in range(1, len(text), length)]
        return "#" + "".join(f"{channel}0"[:2] for channel in channels)

    match = re.fullmatch(r"rgb:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})", text)
    if match is not None:
        # Here the digits are a share of the greatest number with as many digits: ``f`` is 255.
        result = "#"
        for channel in match.groups():
            greatest = 16 ** len(channel) - 1
            result += f"{round(int(channel, 16) / greatest * 255):02x}"
        return result

    digits = _colours().get(text.replace("grey", "gray"))
    if digits is None:
        return None
    return f"#{digits}"


def terrain_colour(colour_words: str, terrain_name: str) -> str:
    """Return ``#rrggbb`` for the colour of a terrain type.

    If X11 does not know the colour that the period names, one is made up from the name of the type,
    so that a terrain has the same one each time.
    """
    colour = x11_colour(colour_words)
    if colour is not None:
        return colour
    checksum = zlib.crc32(terrain_name.encode())
    hue = checksum % _HUES / _HUES
    lightness_step = checksum // _HUES % _LIGHTNESS_STEPS
    lightness = _LOWEST_LIGHTNESS + lightness_step / 100
    channels = colorsys.hls_to_rgb(hue, lightness, _SATURATION)
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)
