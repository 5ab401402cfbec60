"""`python -m disconer`."""

from disconer.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
