"""A second package, without a system: it adds to free maps and to the desk, for tests.

``core``: the generator ``Level``, a game and a measure for free maps. ``desk``: a panel, a tool, an
overlay and a picture. ``entry``: the lists that its entry point names.
"""
