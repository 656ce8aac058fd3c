"""ASGI middleware: request log, turns of addresses, security headers, allowed hosts."""
