"""``python -m concurrence`` is ``concur``."""

from concurrence.cli import main

if __name__ == "__main__":
    main()
