"""Tables in memory, with their connections, clocks and bots."""
