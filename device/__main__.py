"""`python -m device` is `callbox`."""

from device.cli import main

if __name__ == "__main__":
    main()
