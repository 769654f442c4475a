"""The language of filters on maps, such as ``count(Tree) >= 2``.

``parser.parse_filter`` gives a condition that is evaluated for all maps of a batch at once.
"""
