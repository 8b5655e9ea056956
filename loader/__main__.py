"""`python -m loader` is `hermes-desktop`."""

from loader.cli.start import main

if __name__ == "__main__":
    main()
