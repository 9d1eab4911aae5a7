"""Count word pairs, judge them, and know how sure you can be.

Two questions, one workbench: which word combinations belong together, and do people agree that they do?
"""
