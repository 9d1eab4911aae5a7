"""Whether a judge, such as a model, can replace a human coder."""
