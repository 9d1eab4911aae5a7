"""``python -m concurrence`` is ``concur``."""

from concurrence.cli.app import main

if __name__ == "__main__":
    main()
