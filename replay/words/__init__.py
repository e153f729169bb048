"""Words: the text forms of commands and facts, names, faults of spelling, and everything said to a person."""
