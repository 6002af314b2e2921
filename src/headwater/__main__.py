"""`python -m headwater`: the command line, where `headwater` is not on PATH."""

from headwater.cli import main

if __name__ == "__main__":
    main()
