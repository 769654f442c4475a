"""The unit types of a period as kinds of things: icons, supplies, what carries what.

Called by the system, by countries and scenarios, and by mapfiles.
"""
