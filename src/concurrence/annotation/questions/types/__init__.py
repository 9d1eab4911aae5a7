"""The types of questions, one module each; ``row`` says what a type is."""
