"""Tracing: where the cells of a grid lie in a picture, and which terrains they show.

Pictures are arrays (height, width, 3) of red, green and blue; ``app.paper.tracing`` reads and draws
them. It only compares: who changes a map with the result is no concern of this room.
"""
