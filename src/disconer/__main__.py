"""`python -m disconer`."""

from disconer.cli import program

if __name__ == "__main__":
    program()
