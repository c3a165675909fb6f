"""The application: settings, sessions, store, outbox, panel, picking, local table, command line."""
