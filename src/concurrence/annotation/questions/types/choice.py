"""``choice``: exactly one of the choices, with one key."""

from concurrence.annotation.questions.types.row import QuestionType, read_choices

ROW = QuestionType(name="choice", fields=("choices",), choices=read_choices)
