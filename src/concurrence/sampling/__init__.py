"""Rankings to what people will judge: designs, parts, plans."""
