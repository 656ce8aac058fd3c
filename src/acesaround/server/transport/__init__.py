"""Subclasses of the protocols that uvicorn serves HTTP and WebSockets with."""
