"""What everything else builds on: checks, files and text, nothing about searching."""
