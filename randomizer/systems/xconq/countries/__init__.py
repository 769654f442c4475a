"""Countries and units of a new world: where they lie, by the words of the period, and their names.

Arrays and numbers only, called by the generator; the terrain is done before the first draw here.
"""
