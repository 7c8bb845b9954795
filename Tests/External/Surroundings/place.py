"""The folders of a row, and what a program has left in them."""

import contextlib
import ctypes
import os
import pathlib
import shutil
import stat

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_RDONLY, MS_REC, MS_PRIVATE = 1, 0x4000, 1 << 18
PR_CAPBSET_DROP = 24
# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, with which permissions mean nothing.
OVERRIDING_CAPABILITIES = (1, 2)
SHARED_MEMORY = pathlib.Path("/dev/shm")

libc = ctypes.CDLL(None, use_errno=True)


class Skip(Exception):
    """A row cannot be run on this machine; the text is the reason."""


def call(function, *arguments):
    if function(*arguments) != 0:
        raise OSError(ctypes.get_errno(), f"{function.__name__}: {os.strerror(ctypes.get_errno())}")


def mount_memory(folder, options, flags=0):
    """Mounts a file system in memory, which needs mounts of this process's own."""
    call(libc.mount, b"tmpfs", os.fsencode(folder), b"tmpfs", flags, options.encode())


def separate_mounts():
    """Gives this process mounts of its own, without root in a name space of users. Raises OSError where that is off."""
    user, group = os.geteuid(), os.getegid()
    call(libc.unshare, CLONE_NEWNS | (CLONE_NEWUSER if user else 0))
    if user:
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            pathlib.Path("/proc/self", file).write_text(text)
    call(libc.mount, b"none", b"/", None, MS_REC | MS_PRIVATE, None)


def obey_permissions():
    """Makes root's next program obey the permissions of files."""
    if os.geteuid() == 0:
        for capability in OVERRIDING_CAPABILITIES:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def can_obey_permissions():
    """False where root cannot give up the right to override permissions."""
    if os.geteuid() != 0:
        return True
    if (process := os.fork()) == 0:
        os._exit(0 if libc.prctl(PR_CAPBSET_DROP, OVERRIDING_CAPABILITIES[0], 0, 0, 0) == 0 else 1)
    return os.waitpid(process, 0)[1] == 0


def kind(path):
    """The kind of a file, links not followed, and where a link leads; None without a file."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return None
    return stat.S_IFMT(mode), os.readlink(path) if stat.S_ISLNK(mode) else None


class Place:
    """The folders of a row: `work`, the current one, with the inputs; `tmp`, for temporary files; and `home`."""

    def __init__(self, folder, fixtures):
        self.folder = folder
        self.fixtures = fixtures
        self.work, self.temporary, self.home = folder / "work", folder / "tmp", folder / "home"
        for one in (self.work / "out", self.temporary, self.home):
            one.mkdir(parents=True)
        self.has_own_mounts = True
        try:
            separate_mounts()
            mount_memory(SHARED_MEMORY, "size=64m")
        except OSError as error:
            self.has_own_mounts = False
            self.why_no_mounts = str(error)
        self.before = {}

    def require_mounts(self):
        if not self.has_own_mounts:
            raise Skip(f"a file system needs mounts of its own, and here is none: {self.why_no_mounts}")

    def add(self, names):
        """Copies inputs."""
        for name in names:
            source, target = self.fixtures / name, self.work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, target)

    def files(self):
        """Every file below the current folder by its path, as bytes, with its kind and its content."""
        found = {}
        root = os.fsencode(self.work)
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                what = kind(path)
                content = None
                if what and stat.S_ISREG(what[0]):
                    with contextlib.suppress(PermissionError), open(path, "rb") as file:
                        content = file.read()
                found[os.path.relpath(path, root)] = what, content
        return found

    def begin(self):
        """Remembers the files before the program starts."""
        self.before = self.files()

    def changes(self):
        """The files that are new or that changed, with kind and content; None for files that are gone."""
        after = self.files()
        found = {path: state for path, state in after.items() if self.before.get(path) != state}
        found.update({path: (None, None) for path in self.before if path not in after})
        return found

    def left(self):
        """The names of temporary files that are left."""
        found = [f"$TMPDIR/{one.name}" for one in sorted(self.temporary.iterdir())]
        found += [f"$HOME/{one.name}" for one in sorted(self.home.iterdir())]
        if self.has_own_mounts:
            found += sorted(map(str, SHARED_MEMORY.iterdir()))
        return found
