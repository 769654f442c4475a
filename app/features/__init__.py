"""One folder a feature of the desk, its panel and its controller together.

Features do not import one another; the window finds them in one list.
"""
