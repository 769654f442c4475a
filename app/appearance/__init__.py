"""The colours and icons of the desk: light or dark scheme, icons, colours of text.

The colours of maps are in ``render``.
"""
