"""ASGI middleware: request log, concurrency of requests, security headers, allowed hosts."""
