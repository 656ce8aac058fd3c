"""Running bots for tables: a fair queue of requests, and the delays before their actions."""
