"""Bob Cordery's terrain generator, version 2: a wargamer's table by the throw of dice.

"The page" is the web page on which Cordery published it. It has seven parts (hills, water, roads,
trees, habitation, railways, fields), whose steps it numbers: 1.2 is the second step of the hills.
Where the page leaves something open, the reading is ours: docs/manual/wargame-tables.md.
"""
