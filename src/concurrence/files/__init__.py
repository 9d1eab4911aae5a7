"""Tables and provenance: read and write labels, pairs and judgements; atomic writing."""
