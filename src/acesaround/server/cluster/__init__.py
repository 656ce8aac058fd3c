"""Several servers on one database, and the lock for one server on one file."""
