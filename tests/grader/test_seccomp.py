"""The filter of system calls, read as the kernel reads it; test_sandbox.py asks the kernel."""

import platform
import struct

import pytest

from exercises.grader.run import seccomp
from exercises.grader.run.seccomp import ALLOW, KILL, NOT_PERMITTED, NOT_THERE, X86_64

STEP = struct.Struct("=HBBI")
READ, CLONE, CLONE3, FCNTL = 0, 56, 435, 72
THREAD = 0x10000


def verdict(number, *arguments, machine=X86_64):
    """What the filter answers to a system call."""
    steps = list(STEP.iter_unpack(seccomp.program()))
    call = struct.pack("=IIQ6Q", number, machine, 0, *arguments, *[0] * (6 - len(arguments)))
    at, loaded = 0, 0
    while True:
        code, jump_if, jump_else, value = steps[at]
        at += 1
        if code == seccomp.RETURN:
            return value
        if code == seccomp.LOAD:
            (loaded,) = struct.unpack_from("=I", call, value)
            continue
        holds = {
            seccomp.EQUAL: loaded == value,
            seccomp.GREATER_OR_EQUAL: loaded >= value,
            seccomp.ANY_BIT: bool(loaded & value),
        }[code]
        at += jump_if if holds else jump_else


@pytest.mark.parametrize("name", seccomp.FORBIDDEN)
def test_what_is_named_is_refused(name):
    assert verdict(seccomp.FORBIDDEN[name]) == NOT_PERMITTED


def test_what_is_not_named_is_allowed():
    named = {*seccomp.FORBIDDEN.values(), *seccomp.FORBIDDEN_VALUES, CLONE, CLONE3}
    others = [number for number in range(seccomp.NEWEST_KNOWN + 1) if number not in named]
    assert len(others) > 300
    assert {verdict(number) for number in others} == {ALLOW}


def test_calls_of_another_machine_end_the_process():
    assert verdict(READ, machine=0x40000003) == KILL
    assert verdict(0x40000000) == KILL  # the numbers of x32


def test_calls_newer_than_the_list_are_not_there():
    assert verdict(seccomp.NEWEST_KNOWN + 1) == verdict(CLONE3) == NOT_THERE


def test_a_thread_is_no_process():
    assert verdict(CLONE, THREAD | 0xF00) == ALLOW
    assert verdict(CLONE, 17) == NOT_PERMITTED


@pytest.mark.parametrize("number", seccomp.FORBIDDEN_VALUES)
def test_of_some_calls_one_argument_decides(number):
    place, values = seccomp.FORBIDDEN_VALUES[number]
    for value in values:
        arguments = [0] * place + [value]
        assert verdict(number, *arguments) == NOT_PERMITTED
        assert verdict(number, *[value + 1000] * place, 0xFFFF) == ALLOW


def test_the_numbers_are_those_of_one_machine(monkeypatch):
    for machine, there in (("x86_64", True), ("aarch64", False)):
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        assert seccomp.available() is there
