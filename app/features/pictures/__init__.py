"""Pictures of the map: export, print, copy to the clipboard, and tables for a campaign."""
