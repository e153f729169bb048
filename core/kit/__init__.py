"""What games share at no cost: the commands of table and chance, decks, regions, hexes, loading of data, widths of words."""
