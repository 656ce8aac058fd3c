"""Retention: cleanup of old tables, database statistics, export and deletion of a person's data.

`policy` says what is removed and when, and `cleanup` removes it in small pieces while people play.
`close_table` ends a table, and `remove_table` removes it with all its data. `export_person` and
`delete_person` handle one person. `database_stats` counts. All of it uses only the database, so it
works with or without a running server.
"""
