"""The battleland as a file: XML, JSON record, text; its checks and edge fills."""
