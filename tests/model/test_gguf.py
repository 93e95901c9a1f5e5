"""GGUF files: each kind as the package `gguf` opens it, and damage refused."""

import functools
import tempfile
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given, strategies as st

from transformer_lib.model.gguf import read_entries, read_gguf, read_metadata

KINDS = [gguf.GGMLQuantizationType[name] for name in ("F32", "F16", "Q8_0", "Q4_0", "Q4_1")]
OTHERS = [gguf.GGMLQuantizationType[name] for name in ("Q5_0", "Q5_1", "BF16")]
RNG = np.random.default_rng(7)
ARRAY = RNG.normal(size=(3, 5, 64)).astype(np.float32)
METADATA = {
    "a.count": 7,
    "a.share": 0.25,
    "a.text": "über",
    "a.words": ["x", "yz", ""],
    "a.flags": [True, False],
    "a.ids": [3, -1, 4],
}


def write(path: Path, tensors: dict[str, tuple[np.ndarray, gguf.GGMLQuantizationType]]) -> None:
    writer = gguf.GGUFWriter(path, "tiny")
    writer.add_uint32("a.count", METADATA["a.count"])
    writer.add_float64("a.share", METADATA["a.share"])
    writer.add_string("a.text", METADATA["a.text"])
    for name in ("a.words", "a.flags", "a.ids"):
        writer.add_array(name, METADATA[name])
    for name, (array, kind) in tensors.items():
        data = gguf.quantize(array, kind)
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@functools.cache
def small() -> bytes:
    """A file with a tensor of each kind, small enough to damage often."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "small.gguf")
        write(path, {kind.name: (ARRAY[0, :2], kind) for kind in KINDS})
        return path.read_bytes()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_tensor_is_what_gguf_opens(kind, tmp_path):
    path = tmp_path / "one.gguf"
    write(path, {"first": (ARRAY[0, 0], kind), "x": (ARRAY, kind)})
    metadata, tensors = read_gguf(path)
    assert (
        {name: metadata[name] for name in METADATA}
        == METADATA
        == {name: value for name, value in read_metadata(path).items() if name in METADATA}
    )
    expected = gguf.dequantize(gguf.quantize(ARRAY, kind), kind).reshape(ARRAY.shape)
    np.testing.assert_array_equal(tensors["x"], expected)
    assert tensors["x"].dtype == np.float32 and tensors["first"].shape == (64,)
    entry, stored = read_entries(path)["x"], gguf.quantize(ARRAY, kind).tobytes()
    assert (entry.kind, entry.shape) == (kind.name, ARRAY.shape)
    assert path.read_bytes()[entry.start :][: len(stored)] == stored


@pytest.mark.parametrize("kind", OTHERS, ids=lambda kind: kind.name)
def test_another_kind_is_refused_by_name(kind, tmp_path):
    path = tmp_path / "other.gguf"
    write(path, {"x": (ARRAY, kind)})
    with pytest.raises(ValueError, match=f"'x' must be one of F32, .*got {kind.name}"):
        read_gguf(path)


def only_value_errors(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "damaged.gguf")
        path.write_bytes(data)
        try:
            read_gguf(path)
        except ValueError as error:
            assert str(error).startswith(f"{path} is not a complete GGUF file")


def test_a_file_cut_short_is_refused_wherever_it_ends(tmp_path):
    path = tmp_path / "cut.gguf"
    for end in range(0, len(small()) - 32, 7):
        path.write_bytes(small()[:end])
        with pytest.raises(ValueError, match="is not a complete GGUF file: "):
            read_gguf(path)


@given(st.data())
def test_damage_is_a_value_error(data):
    """Counts, lengths, offsets and kinds all stand in the file, so any of them becomes absurd."""
    damaged = bytearray(small())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        new = data.draw(st.binary(min_size=1, max_size=8))
        damaged[place : place + len(new)] = new
    only_value_errors(bytes(damaged))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"GGUF\x03", b"GGML\x03", "it does not begin with GGUF"),
        (b"GGUF\x03", b"GGUF\x01", "its version must be 2 or 3, got 1"),
        (b"a.share", b"a.count", "its metadata has 'a.count' twice"),
        (b"F32\x02", b"F16\x02", "it has a tensor twice"),
        (b"F32\x02", b"F32\x05", "'F32' must have at most 4 dimensions, got 5"),
        (b"Q4_0\x02\0\0\0\x40", b"Q4_0\x02\0\0\0\x41", "rows of whole blocks of 32"),
        (b"F32\x02\0\0\0\x40", b"F32\x02\0\0\0\0", "rows of whole blocks of 1"),
        ("über".encode(), b"\xff\xff\xff\xff\xff", "is not UTF-8"),
        (b"a.count\x04", b"a.count\x0d", "a value must have a type from 0 to 12"),
    ],
)
def test_what_is_wrong_is_said(old, new, message, tmp_path):
    assert small().count(old) == 1
    path = tmp_path / "wrong.gguf"
    path.write_bytes(small().replace(old, new))
    with pytest.raises(ValueError, match=message):
        read_gguf(path)
