"""Maps of other programs as free maps, a module a format: MegaMek, Wesnoth, Text Mapper ...

The catalogue names ``formats``; ``foreign`` has what the modules share. Nobody else imports them.
"""
