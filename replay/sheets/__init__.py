"""Sheets: positions and scoresheets as people write them, played by the rules, with a verdict on each line."""
