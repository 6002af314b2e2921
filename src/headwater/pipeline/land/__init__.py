"""Land: events from files, topics, stores or standard input, as one frame of lines."""
