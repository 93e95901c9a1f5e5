import json

import numpy as np
import pytest
import safetensors.numpy
import safetensors.torch
import torch

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(50)
ARRAYS = {
    "half": RNG.normal(size=(2, 3)).astype(np.float16),
    "single": RNG.normal(size=(5,)).astype(np.float32),
    "double": RNG.normal(size=(2, 1, 4)),
    "bool": np.array([[True, False, True]]),
    "scalar": np.array(2.5),
    "nothing": np.zeros((0, 3), np.float32),
    **{
        str(np.dtype(d)): RNG.integers(0, 100, size=(3,)).astype(d)
        for d in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
    },
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "weights.safetensors"


def assert_same(got, expected):
    assert got.keys() == expected.keys()
    for name, array in expected.items():
        assert got[name].dtype == array.dtype and got[name].shape == array.shape
        np.testing.assert_array_equal(got[name], array)


def test_reads_what_safetensors_writes(path):
    safetensors.numpy.save_file(ARRAYS, path, metadata={"format": "np"})
    assert_same(tl.read_safetensors(path), ARRAYS)
    assert_same(tl.read_safetensors(str(path)), safetensors.numpy.load_file(path))


def test_safetensors_reads_what_we_write(path):
    tl.write_safetensors(ARRAYS, path)
    assert_same(safetensors.numpy.load_file(path), ARRAYS)
    assert_same(tl.read_safetensors(path), ARRAYS)
    assert list(tl.read_safetensors(path)) == list(ARRAYS)


def test_views_and_foreign_byte_orders_are_written_as_they_look(path):
    view, big = np.arange(6.0).reshape(2, 3).T[::-1], np.array([1, 2], ">i4")
    tl.write_safetensors({"view": view, "big": big}, path)
    got = tl.read_safetensors(path)
    np.testing.assert_array_equal(got["view"], view)
    np.testing.assert_array_equal(got["big"], big)


def test_bfloat16_comes_as_float32(path):
    tensor = torch.tensor([[1.0, -2.5, 3e38], [1e-40, float("inf"), float("nan")]])
    safetensors.torch.save_file({"E": tensor.bfloat16()}, path)
    got = tl.read_safetensors(path)["E"]
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, tensor.bfloat16().float().numpy())


def test_arrays_are_writable_and_their_own(path):
    tl.write_safetensors({"a": np.zeros(2), "b": np.zeros(2)}, path)
    got = tl.read_safetensors(path)
    got["a"] += 1
    assert got["b"].tolist() == [0, 0]


def test_an_empty_file_of_weights(path):
    tl.write_safetensors({}, path)
    assert tl.read_safetensors(path) == safetensors.numpy.load_file(path) == {}


def file_of(header, numbers=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def entry(dtype="F32", shape=(2,), places=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(places)}


EIGHT = bytes(8)
BROKEN = {
    "empty": (b"", "its header should take 0 bytes, but 0 follow"),
    "cut in the header": (file_of({"a": entry()})[:20], "its header should take .* 12 follow"),
    "cut in the numbers": (file_of({"a": entry()}, EIGHT[:7]), "take 8 bytes, but the file has 7"),
    "too long": (file_of({"a": entry()}, bytes(9)), "take 8 bytes, but the file has 9"),
    "a web page": (b"<!DOCTYPE html><html></html>", "its header should take"),
    "not JSON": (file_of(b"hello"), "its header is not JSON"),
    "not text": (file_of(b"\xff\xfe\xfd"), "its header is not JSON"),
    "deep JSON": (file_of(b"[" * 100_000), "its header is not JSON"),
    "a list": (file_of([]), "its header is not a JSON object"),
    "a name twice": (
        file_of(b'{"a":' + json.dumps(entry()).encode() + b',"a":1}', EIGHT),
        "its header gives a name twice",
    ),
    "no dtype": (file_of({"a": {"shape": [2], "data_offsets": [0, 8]}}, EIGHT), "'a' must have"),
    "no entry": (file_of({"a": 3}, EIGHT), "'a' must have"),
    "one offset": (file_of({"a": entry(places=(0,))}, EIGHT), "'a' must have"),
    "shape a number": (
        file_of({"a": {"dtype": "F32", "shape": 2, "data_offsets": [0, 8]}}, EIGHT),
        "'a' must have",
    ),
    "negative shape": (file_of({"a": entry(shape=(-2, -1))}, EIGHT), "not an integer of 0 or more"),
    "shape float": (file_of({"a": entry(shape=(2.0,))}, EIGHT), "not an integer of 0 or more"),
    "shape boolean": (file_of({"a": entry(shape=(True, 2))}, EIGHT), "not an integer of 0 or more"),
    "negative place": (file_of({"a": entry(places=(-8, 0))}, EIGHT), "not an integer of 0 or more"),
    "unknown dtype": (
        file_of({"a": entry(dtype="F8_E5M2")}, EIGHT),
        "'a' has the unknown dtype 'F8_E5M2'",
    ),
    "dtype a list": (file_of({"a": entry(dtype=["F32"])}, EIGHT), "'a' has the unknown dtype"),
    "size": (file_of({"a": entry(shape=(3,))}, EIGHT), "'a' needs 12 bytes for F32"),
    "backward": (file_of({"a": entry(places=(8, 0))}, EIGHT), "'a' needs 8 bytes"),
    "overlap": (
        file_of({"a": entry(), "b": entry(places=(4, 12))}, bytes(12)),
        "'b' starts at byte 4, but the tensor before it ends at 8",
    ),
    "gap": (
        file_of({"a": entry(), "b": entry(places=(12, 20))}, bytes(20)),
        "'b' starts at byte 12, but the tensor before it ends at 8",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(case, path):
    data, message = BROKEN[case]
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message) as error:
        tl.read_safetensors(path)
    assert str(path) in str(error.value)


def test_every_shortened_file_is_refused(path):
    tl.write_safetensors({"a": np.arange(3.0), "b": np.array([True])}, path)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is not a complete safetensors file"):
            tl.read_safetensors(path)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        tl.read_safetensors(tmp_path / "none")


REAL, NAMES = "a must be a numpy array of real numbers or bool", "names must be text other than"
test_bad_arrays_are_not_written = refusals(
    (f"{REAL}, got list", {"a": [1.0]}),
    ("a must be a numpy array .* got complex128", {"a": np.array([1j])}),
    (REAL, {"a": np.array(["x"])}),
    (REAL, {"a": torch.zeros(2)}),
    (NAMES, {"__metadata__": np.zeros(2)}),
    (NAMES, {3: np.zeros(2)}),
    of=lambda arrays: tl.write_safetensors(arrays, "/nowhere/weights.safetensors"),
)
