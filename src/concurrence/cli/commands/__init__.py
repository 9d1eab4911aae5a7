"""Count word pairs, judge them, and see how certain the results are.

Two questions, one workbench: which word combinations belong together, and do people agree that they do?

New here? `concur demo` runs a whole study on built-in data, `concur COMMAND --help` shows a working example,
and `concur doctor` shows which optional parts are installed.
"""
