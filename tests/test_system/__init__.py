"""A small system of another package, for tests: it is registered as an installed package would be.

``system.SYSTEM`` ("testsys", Test land): squares, terrain on cells, heights on corners, things.
``script_host``: scripts ``<name>.tll`` with metadata in ``<name>.json`` beside them.
``generator``: the packaged generator ``Moor``, made of the two files in ``scripts/``.
``map_file.TILES``: the format ``tiles``, JSON in files that end in ``.tiles``.
``game``: a game with one level of places, its maps in one folder.
``desk``: the panel "Test land" with a form of its own.
``entry``: the lists that the entry point names: all that the program knows of the package.
``installing``: puts the entry point on the path of this process or of another one; tests take the
fixture ``testsys``.

``system.KINDS``: the kinds of things, with states.

It grows with the program: a terrain set from the script comes as generators can give one.
It uses nothing that another package could not, and the program knows nothing of it.
"""
