"""A loopback address of this process's own: a port that it lets go is there when it wants it back."""

import os


def own_loopback() -> str:
    """127.x.y.z by the process id. On 127.0.0.1 any program may be given a port just let go."""
    pid = os.getpid()
    return f"127.{1 + (pid >> 16) % 64}.{pid >> 8 & 255}.{pid & 255}"
