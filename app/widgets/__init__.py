"""Shared controls: fields, forms, lists, dialogs, bars. Nothing here knows a map.

Panels, dialogs and the window use them.
"""
