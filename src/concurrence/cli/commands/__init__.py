"""Count word pairs, judge them, and know how sure you can be.

Two questions, one workbench: which word combinations belong together, and do people agree that they do?

New here? `concur demo` goes the whole way on embedded data, `concur COMMAND --help` has an example that works,
and `concur doctor` tells which optional parts are there.
"""
