"""ASGI middleware: request log, security headers, allowed hosts."""
