"""The leader's desk: an organiser's campaigns, making one from an uploaded table, and running it."""
