"""What maps of 0 A.D. add to the desk: the panel of their players, environment and camera.

Only the list of features names it.
"""
