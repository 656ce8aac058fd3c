"""Running bots for tables: a fair queue of requests, and the pace of the answers."""
