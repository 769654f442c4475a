"""The generators of 0 A.D.'s maps: islands in Python, map scripts, their settings and measures.

Called by the catalogue and the script host.
"""
