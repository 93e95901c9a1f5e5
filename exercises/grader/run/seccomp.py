"""The system calls that student code may not make, as a BPF program for the kernel.

Calls that are not named here are allowed: the namespaces, the dropped user and the limits hold
those. What is named would reach the kernel's corners, make processes, or hold memory that
RLIMIT_AS does not count.
"""

import platform
import struct

# x86_64 numbers; they never change.
FORBIDDEN = {
    **{"fork": 57, "vfork": 58},
    **{"socket": 41, "socketpair": 53, "ptrace": 101, "process_vm_readv": 310},
    **{"process_vm_writev": 311, "kcmp": 312, "pidfd_open": 434, "pidfd_getfd": 438},
    **{"process_madvise": 440, "perf_event_open": 298, "bpf": 321, "userfaultfd": 323},
    **{"io_setup": 206, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427},
    **{"mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "open_tree": 428},
    **{"move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433},
    **{"mount_setattr": 442, "unshare": 272, "setns": 308, "quotactl": 179, "quotactl_fd": 443},
    **{"swapon": 167, "swapoff": 168, "acct": 163, "syslog": 103, "reboot": 169},
    **{"kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313},
    **{"delete_module": 176, "iopl": 172, "ioperm": 173, "modify_ldt": 154, "personality": 135},
    **{"add_key": 248, "request_key": 249, "keyctl": 250, "lookup_dcookie": 212},
    **{"name_to_handle_at": 303, "open_by_handle_at": 304, "fanotify_init": 300},
    **{"settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "clock_adjtime": 305},
    **{"sethostname": 170, "setdomainname": 171, "migrate_pages": 256, "move_pages": 279},
    **{"shmget": 29, "shmat": 30, "semget": 64, "msgget": 68, "mq_open": 240},
    **{"memfd_create": 319, "memfd_secret": 447, "vmsplice": 278},
    # With a filter of its own, code could end as if the kernel had killed it.
    **{"seccomp": 317},
    # The dates and locks of files that all sandboxes see would carry messages between them.
    **{"utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "flock": 73},
    # So would the page cache, where one sandbox could drop or load pages and the next could ask
    # which are there, and a watch on such files.
    **{"fadvise64": 221, "readahead": 187, "mincore": 27, "preadv2": 327, "pwritev2": 328},
    **{"sync": 162, "fsync": 74, "fdatasync": 75, "msync": 26, "syncfs": 306},
    **{"sync_file_range": 277, "inotify_init": 253, "inotify_init1": 294},
    **{"inotify_add_watch": 254},
}
CLONE, CLONE3 = 56, 435
# NUMBER: (which argument, counted from 0, and the values of it that are refused).
FORBIDDEN_VALUES = {
    16: (1, (0x5412, 0x541C)),  # ioctl that types into a terminal: TIOCSTI, TIOCLINUX
    157: (0, (22,)),  # prctl that sets a filter
    72: (1, (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)),  # fcntl for locks, leases and watches
    28: (2, (3, 20, 21, 22, 23)),  # madvise that loads or drops pages of a file
}
NEWEST_KNOWN = 450
CLONE_THREAD = 0x10000
X86_64 = 0xC000003E
X32_BIT = 0x40000000

LOAD, EQUAL, GREATER_OR_EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS, ARGUMENT_BYTES = 0, 4, 16, 8
KILL, ALLOW = 0x80000000, 0x7FFF0000
NOT_PERMITTED, NOT_THERE = 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS


def available() -> bool:
    """Return whether this machine uses the numbers above."""
    return platform.machine() == "x86_64"


def program() -> bytes:
    """Return the filter as an array of `struct sock_filter`."""
    steps = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, X86_64), (RETURN, 0, 0, KILL)]
    steps += [(LOAD, 0, 0, NUMBER), *_when(GREATER_OR_EQUAL, X32_BIT, KILL)]
    steps += _when(GREATER_OR_EQUAL, NEWEST_KNOWN + 1, NOT_THERE)
    # clone3 hides its flags in memory; without it the C library falls back to clone.
    steps += _when(EQUAL, CLONE3, NOT_THERE)
    for number in FORBIDDEN.values():
        steps += _when(EQUAL, number, NOT_PERMITTED)
    # Threads are fine, other processes are not.
    steps += [(EQUAL, 0, 4, CLONE), (LOAD, 0, 0, ARGUMENTS)]
    steps += [(ANY_BIT, 1, 0, CLONE_THREAD), (RETURN, 0, 0, NOT_PERMITTED), (RETURN, 0, 0, ALLOW)]
    for number, (place, values) in FORBIDDEN_VALUES.items():
        tests = [step for value in values for step in _when(EQUAL, value, NOT_PERMITTED)]
        load = (LOAD, 0, 0, ARGUMENTS + ARGUMENT_BYTES * place)
        steps += [(EQUAL, 0, len(tests) + 2, number), load, *tests, (RETURN, 0, 0, ALLOW)]
    steps += [(RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _when(test: int, value: int, verdict: int) -> list[tuple[int, int, int, int]]:
    return [(test, 0, 1, value), (RETURN, 0, 0, verdict)]
