"""The leader's desk: making a campaign from a table, its people who come and leave, more items, what the desk shows."""
