"""What coders are asked: the questions of a campaign and their types."""
