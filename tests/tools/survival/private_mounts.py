"""File systems that are full or cannot be written, for this process and its children alone."""

import contextlib
import ctypes
import os
import subprocess

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000


class Unavailable(Exception):
    """Mounting is not allowed; the message is the reason."""


def enter():
    """From here on mounts are this process's own, and go with it. Root may do this, and other users
    where they may have a user namespace. Throws Unavailable."""
    user, group = os.getuid(), os.getgid()
    flags = CLONE_NEWNS if user == 0 else CLONE_NEWNS | CLONE_NEWUSER
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        raise Unavailable(f"no private mounts for a test: {os.strerror(ctypes.get_errno())}")
    if user != 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"0 {user} 1")
        _write("/proc/self/gid_map", f"0 {group} 1")
    _mount("--make-rprivate", "/")


def _write(file, text):
    with open(file, "w") as opened:
        opened.write(text)


def _mount(*arguments):
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Unavailable(f"mount: {done.stderr.strip()}")


@contextlib.contextmanager
def disk(folder, kilobytes, free):
    """A disk of a size of which only so much is free, until its file "ballast" is removed."""
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder)
    try:
        (folder / "ballast").write_bytes(bytes((kilobytes - free) * 1024))
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def read_only(folder):
    """Not even root can write there, unlike with the bits of permissions."""
    _mount("--bind", folder, folder)
    _mount("-o", "remount,bind,ro", folder)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
