"""What is kept and for how long: old tables cleared, sizes, one person's data exported or deleted.

`rule` says what is cleared when, and `clearing` does it in small pieces beside people who play.
`ending` closes or removes a table, `exporting` and `deleting` are about one person, and `sizing`
counts. All of it is done through the database alone, so that it is the same with a server and
without one.
"""
