"""``python -m divlearn`` is the command ``divlearn``."""

from divlearn.cli import main

if __name__ == "__main__":
    main()
