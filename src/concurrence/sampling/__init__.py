"""From rankings to what people will judge: designs, parts, and plans."""
