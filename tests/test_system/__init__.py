"""A small system of another package, for tests: it is registered as an installed package would be.

``system.SYSTEM`` ("testsys", Test land): squares, terrain on cells, heights on corners, things.
``script_host``: scripts ``<name>.tll`` with metadata in ``<name>.json`` beside them.
``generator``: the packaged generators ``Moor`` and ``Heath``, each made of two files in
``scripts/``. Heath brings records and, in its metadata, a terrain set of its own.
``map_file.TILES``: the format ``tiles``, JSON in files that end in ``.tiles``.
``game``: a game with one level of places, its maps in one folder.
``desk``: the panel "Test land" with a form of its own.
``entry``: the lists that the entry point names: all that the program knows of the package.
``installing``: puts the entry point on the path of this process or of another one; tests take the
fixture ``testsys``.

``system.KINDS``: the kinds of things, with states.
It uses nothing that another package could not, and the program knows nothing of it.
"""
