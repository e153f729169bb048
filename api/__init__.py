"""The service: HTTP, live streams, and the web viewer."""
