"""What crosses the pipes is plain data, and nothing else comes out of the decoder."""

import base64
import json
import os
import time

import numpy as np
import pytest
import torch

from exercises.grader.run.channel import HEADER, Broken, Channel, TooSlow
from exercises.grader.sandboxed.decoding import Decoder
from exercises.grader.sandboxed.encoding import ProtocolError, encode


def there_and_back(value):
    return Decoder().decode(json.loads(json.dumps(encode(value))))


@pytest.mark.parametrize(
    "value",
    [None, True, 3, -0.5, "ä", [1, [2.0, "x"]], (1, (2,)), {"a": [1], 2: None}, {1, 2}, 1 + 2j],
)
def test_plain_values(value):
    found = there_and_back(value)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3, 5), (0, 4)])
def test_arrays(dtype, shape):
    value = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    found = there_and_back(value)
    assert found.dtype == value.dtype
    assert found.shape == shape
    assert np.array_equal(found, value)
    assert found.flags.writeable


@pytest.mark.parametrize("grad", [True, False])
def test_a_tensor_keeps_its_numbers_and_whether_it_wants_a_gradient(grad):
    tensor = torch.tensor([[1.0, 2.0]], requires_grad=grad)
    found = there_and_back(tensor)
    assert torch.equal(found, tensor) and found.dtype == torch.float32
    assert found.requires_grad == grad


def test_a_numpy_number_stays_one():
    assert type(there_and_back(np.float32(0.5))) is np.float32


def test_named_tuples_keep_their_names():
    from typing import NamedTuple

    class Steps(NamedTuple):
        scores: list[int]
        output: int

    found = there_and_back(Steps([1], 2))
    assert (found.scores, found.output, found) == ([1], 2, ([1], 2))
    with pytest.raises(AttributeError, match="no field 'other'"):
        _ = found.other


def test_a_generator_goes_on_where_it_was():
    rng = np.random.default_rng(3)
    rng.normal(size=4)
    assert there_and_back(rng).normal() == rng.normal()


@pytest.mark.parametrize(
    "value", [object(), print, np.array([object()]), b"x", Exception, 1j.real.hex]
)
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(ProtocolError, match="cannot be passed to the check"):
        encode(value)


def array(dtype="float64", shape=(2,), data=bytes(16)):
    return {"array": [dtype, list(shape), base64.b64encode(data).decode()]}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (array("object"), "dtype"),
        (array("O8"), "dtype"),
        (array(["float64"]), "dtype"),
        (array(shape=(3,)), "more or fewer bytes"),
        (array(shape=(-2,)), "axis of a length"),
        (array(shape=(True, 2)), "axis of a length"),
        (array(shape=(2**40, 0), data=b""), "axis of a length"),
        (array(shape=(2**24, 0), data=b""), "larger"),
        (array(shape=(1,) * 17), "axes"),
        ({"array": ["float64", [2], "!!!!"]}, "base64"),
        ({"array": ["float64", [2]]}, "number of parts"),
        ({"scalar": array()["array"]}, "shape"),
        ({"record": [{"list": []}, {"list": []}]}, "list is expected"),
        ({"record": [["__array_interface__"], [3]]}, "wrong names"),
        ({"record": [["a", "b"], [3]]}, "wrong names"),
        ({"record": [["a b"], [3]]}, "wrong names"),
        ({"dict": [[{"list": []}, 1]]}, "key"),
        ({"dict": [[1, 2, 3]]}, "key"),
        ({"dict": [[n, n] for n in range(10_001)]}, "entries"),
        ({"set": [{"list": []}]}, "key"),
        ({"complex": [1, 2]}, "floats"),
        ({"function": 0}, "function"),
        ({"generator": [0]}, "number of parts"),
        ({"generator": ["x", 1, 0, 0]}, "whole number"),
        ({"generator": [-1, 1, 0, 0]}, "not allowed"),
        ({"generator": [1, 1, 0, 2**99]}, "not allowed"),
        ({"tensor": ["float32", [], "", True]}, "tensor|bytes"),
        ({"decode": [1]}, "an unknown kind"),
        ({"__init__": [1]}, "an unknown kind"),
        ({"list": 3}, "list is expected"),
        ({"list": [], "tuple": []}, "a type that cannot be passed to the check"),
        ({}, "a type that cannot be passed to the check"),
        ([], "a type that cannot be passed to the check"),
        (2**300, "256 bits"),
    ],
)
def test_the_decoder_refuses(data, says):
    with pytest.raises(ProtocolError, match=says):
        Decoder().decode(data)


def test_depth_and_parts_are_bounded():
    deep = 1
    for _ in range(40):
        deep = {"list": [deep]}
    with pytest.raises(ProtocolError, match="nested"):
        Decoder().decode(deep)
    with pytest.raises(ProtocolError, match="too many parts"):
        Decoder().decode({"list": [0] * 200_001})


def test_a_truth_value_of_two_is_true():
    found = Decoder().decode(array("bool", (2,), b"\2\0"))
    assert found.tolist() == [True, False]
    assert found.view(np.uint8).tolist() == [1, 0]


def test_a_lone_surrogate_is_replaced():
    assert Decoder().decode("a\ud800") == "a?"


@pytest.fixture
def pipe():
    read_from, far = os.pipe()
    unread, write_to = os.pipe()
    channel = Channel(write_to, read_from)
    yield channel, far
    channel.close()
    os.close(far)
    os.close(unread)


@pytest.mark.parametrize(
    ("raw", "error", "says"),
    [
        (b"", TooSlow, "too long"),
        (b"\0\0", TooSlow, "too long"),
        (HEADER.pack(9) + b"{}", TooSlow, "too long"),
        (HEADER.pack(2**30), Broken, "larger than"),
        (HEADER.pack(2) + b"[]", Broken, "channel of the answers"),
        (HEADER.pack(2) + b"\xff{", Broken, "channel of the answers"),
        (HEADER.pack(20_000) + b"[" * 20_000, Broken, "channel of the answers"),
    ],
)
def test_a_bad_frame_breaks_the_channel(pipe, raw, error, says):
    channel, far = pipe
    os.write(far, raw)
    with pytest.raises(error, match=says):
        channel.receive(time.monotonic() + 0.1)


def test_nobody_reads(pipe):
    channel, _ = pipe
    with pytest.raises(TooSlow):
        channel.send({"text": "x" * 10**6}, time.monotonic() + 0.1)


def test_a_channel_is_closed_once(pipe):
    channel, _ = pipe
    channel.close()
    for end in (channel.write_to, channel.read_from):
        with pytest.raises(OSError):
            os.fstat(end)
    channel.close()
