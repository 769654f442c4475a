"""One folder a system of maps, with its generators, languages and file formats.

Only ``randomizer.catalog.catalog`` names them; systems do not import one another except ``free``.
"""
