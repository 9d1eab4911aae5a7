"""The embedded study: corpus, coding manual, questions and the judgements of three coders."""
