"""Dialogs that export pictures, print, and make tables for a campaign."""
