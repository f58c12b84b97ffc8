"""What everything rests on: checks, files, text; nothing of searching."""
