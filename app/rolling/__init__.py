"""Rolling generators for the desk: requests, the rolling itself, stepping back and forth.

Panels show and change the request; none of them rolls by itself.
"""
