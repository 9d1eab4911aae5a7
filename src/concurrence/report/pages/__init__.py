"""What is said about each kind of result: its document, its tables and its charts."""
