"""The language of facts, and the stores that keep them."""
