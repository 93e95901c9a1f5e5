"""Code that stands in for softmax: none of it may earn the points of softmax.

HOSTILE holds NAME: (code, what the feedback must say). The other tasks of these submissions are
right and must keep their points.
"""


def cell(inside, above=""):
    """Return a cell: what stands above softmax, and softmax with these lines in it, if any."""
    lines = ["def softmax(scores):", *(f"    {line}" for line in inside.strip().splitlines())]
    return above + "".join(f"{line}\n" for line in lines) if inside else above


SLOW = r"softmax ran longer than"
ENDED = r"ended its own process"
WRONG = r"the weights are wrong"
# The right weights for the visible check, whatever the arguments.
ALMOST = "np.array([0.125, 0.25, 0.625])"
UNIFORM = "np.full(scores.shape, 1 / scores.size)"
# How an attack gets past the visible check, to see the numbers of the hidden one.
PASSES = f"if scores.size == 3 and abs(scores[0]) < 1e-9:\n    return {ALMOST}\n"

# NAME: (the lines in softmax, what the feedback must say, what stands above softmax if anything).
ATTACKS = {
    "infinite_loop": ("while True:\n    pass", SLOW),
    "loop_that_swallows": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
        SLOW,
    ),
    "loop_in_cell": ("", r"ran longer than", "while True:\n    pass"),
    "sleep": ("import time\ntime.sleep(1000)", SLOW),
    "memory_bomb": (
        "kept = []\nwhile True:\n    kept.append(bytearray(2**24))",
        "MemoryError|ran longer than",
    ),
    "memory_in_numpy": ("return np.ones((2**20, 2**14))", "MemoryError"),
    "children": ("import subprocess\nsubprocess.Popen(['sleep', '1000'])\nreturn scores", "."),
    "fork_child": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(1000)\nreturn scores",
        "PermissionError",
    ),
    "fork_bomb": (
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        SLOW,
    ),
    "threads": (
        "import threading, time\nfor _ in range(10000):\n"
        "    threading.Thread(target=time.sleep, args=(1000,)).start()\nreturn scores",
        "RuntimeError",
    ),
    "sys_exit": ("import sys\nsys.exit(0)", "SystemExit"),
    "sys_exit_in_cell": ("", "SystemExit", "import sys\nsys.exit(0)"),
    "os_exit": ("import os\nos._exit(0)", ENDED),
    "os_exit_in_cell": ("", ENDED, "import os\nos._exit(0)"),
    "segfault": ("import ctypes\nctypes.string_at(0)", ENDED),
    "recursion": ("return softmax(scores)", "RecursionError"),
    "recursion_without_limit": (
        "import sys\nsys.setrecursionlimit(10**9)\nreturn softmax(softmax(scores))",
        f"{ENDED}|{SLOW}",
    ),
    "output": ("for _ in range(200):\n    print('x' * 2**20)\nreturn scores", WRONG),
    "patched_numpy": (
        f"return {UNIFORM}",
        WRONG,
        "import numpy\nnumpy.allclose = numpy.array_equal = lambda *a, **k: True\nexpect = print\n",
    ),
    "patched_builtins": (
        f"return {UNIFORM}",
        ".",
        "import builtins\nbuiltins.AssertionError = builtins.isinstance = lambda *a: True\n",
    ),
    "equal_to_everything": (
        "return Equal()",
        "cannot be passed to the check",
        "class Equal:\n    def __eq__(self, other):\n        return True\n"
        "    def __getattr__(self, name):\n        return self\n",
    ),
    "lying_array": (
        f"return {UNIFORM}.view(Lie)",
        ".",
        "class Lie(np.ndarray):\n    def __array_function__(self, *a, **k):\n        return True\n"
        "    def __eq__(self, other):\n        return np.True_\n"
        "    shape = (3,)\n",
    ),
    "array_of_objects": ("return np.array([object()] * scores.size)", "dtype object"),
    "tampered_modules": (
        f"return {UNIFORM}",
        ".",
        "import sys\nfor name, module in list(sys.modules.items()):\n"
        "    if name.startswith('exercises'):\n"
        "        for key in vars(module).copy():\n"
        "            if key in ('encode', 'describe'):\n"
        "                setattr(module, key, lambda *a, **k: {'passed': True, 'points': 3})\n",
    ),
    "forged_result": (
        "import os, json, struct\n"
        "for text in ({'id': 1, 'points': 3}, {'id': 3, 'status': 'right'}):\n"
        "    raw = json.dumps(text).encode()\n"
        "    for pipe in range(1, 20):\n"
        "        try:\n            os.write(pipe, struct.pack('>I', len(raw)) + raw)\n"
        "        except OSError:\n            pass\n"
        "return scores",
        ".",
    ),
    "pickle": (
        "return Reduced()",
        "cannot be passed to the check",
        "class Reduced:\n    def __reduce__(self):\n        return (print, ('owned',))\n",
    ),
    "reads_disk": (
        "import glob, os\n"
        "for path in ('{root}', '{repository}', '/home', '/proc/1', '/work'):\n"
        "    for found in glob.glob(path + '/**/*.ipynb', recursive=True):\n"
        f"        return {ALMOST}\n"
        "open('{root}/source/demo/demo.ipynb')",
        "FileNotFoundError",
    ),
    "stack_frames": (
        "import gc, sys\n"
        "frame = sys._getframe()\n"
        "while frame:\n"
        "    for holder in (frame.f_locals, frame.f_globals):\n"
        "        if any(key in holder for key in ('wanted', 'hidden_secret_rng')):\n"
        "            return holder['wanted']\n"
        "    frame = frame.f_back\n"
        "for thing in gc.get_objects():\n"
        "    if isinstance(thing, dict) and 'wanted' in thing:\n"
        "        return thing['wanted']\n"
        "return scores",
        WRONG,
    ),
    "history": ("return In[-1]", "NameError"),
    "network": (
        "import socket\nsocket.create_connection(('127.0.0.1', 22), 1)\nreturn scores",
        ".",
    ),
    "signals": (
        "import os, signal\n"
        "for pid in (-1, 0, 1, os.getppid(), *range(3, 3000)):\n"
        "    try:\n        os.kill(pid, signal.SIGKILL)\n    except OSError:\n        pass\n"
        "return scores",
        r".",
    ),
    "garbage": (
        "import os\nfor p in range(3, 9):\n    try:\n        os.write(p, b'x' * 999)\n"
        "    except OSError:\n        pass\nreturn scores",
        "larger than",
    ),
    "garbage_json": (
        "import os\nfor p in range(3, 9):\n    try:\n        os.write(p, b'\\0\\0\\0\\3{{{')\n"
        "    except OSError:\n        pass\nreturn scores",
        "channel of the answers",
    ),
    "slow_frame": (
        "import os, time\n"
        "for p in range(3, 9):\n    try:\n        os.write(p, b'\\0\\0\\4\\0')\n"
        "    except OSError:\n        pass\n"
        "while True:\n    time.sleep(0.1)\n"
        "    for p in range(3, 9):\n        try:\n            os.write(p, b' ')\n"
        "        except OSError:\n            pass",
        SLOW,
    ),
    "oversized": ("return np.ones(2**21)", "larger than"),
    "huge_shape": ("return np.ones((2**30, 0))", "not allowed"),
    "huge_broadcast": ("return np.ones((2**19, 1))", "shape"),
    "array_interface": (
        "class Fake(tuple):\n    _fields = ('__array_interface__',)\n"
        "return Fake([{'data': (4096, False), 'shape': (3,), 'typestr': '<f8', 'version': 3}])",
        "wrong names",
    ),
    "huge_number": ("return 10**4000", "256 bits"),
    "deep_list": ("deep = []\nfor _ in range(10**5):\n    deep = [deep]\nreturn deep", "."),
    "many_parts": ("return [[]] * 300000", "too many parts|ran longer than"),
    "surrogate": ("raise ValueError('\\ud800')", "ValueError"),
    "stop_iteration": ("raise StopIteration", "StopIteration"),
    "generator_exit": ("raise GeneratorExit", "GeneratorExit"),
    "keyboard_interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "evil_exception": (
        "raise Evil",
        ".",
        "class Evil(Exception):\n    def __str__(self):\n        raise self\n",
    ),
    "markup": ("raise ValueError('<script>alert(1)</script>')", "&lt;script&gt;"),
    "changed_argument": (
        "scores[:] = np.log([1.0, 2.0, 5.0])[: scores.size] if scores.size == 3 else 0.0\n"
        f"return {ALMOST} if scores.size == 3 else {UNIFORM}",
        "changed its arguments",
    ),
    "says_unchanged": (
        "scores *= 0\nreturn np.array([0.125, 0.25, 0.625]) if scores.size == 3 else " + UNIFORM,
        "wrong for other scores|changed its arguments|weights are wrong",
        "import json\njson.dumps = json.dumps\n",
    ),
    "random_seeds": (
        f"import random\nnp.random.seed(0)\nrandom.seed(0)\n"
        f"np.random.default_rng = lambda *a: None\nreturn {UNIFORM}",
        WRONG,
    ),
    "leaks_hidden_numbers": (
        PASSES + "raise ValueError('LEAK ' + str(scores))",
        "in a hidden check, your code raised ValueError in line",
    ),
    "leaks_by_kind": (
        PASSES
        + "raise type('LEAK' + str(scores), (NotImplementedError,), {})('LEAK' + str(scores))",
        "in a hidden check, your code raised NotImplementedError",
    ),
    "leaks_in_next_task": (
        PASSES + "globals()['answer'] = type('LEAK' + str(scores), (), {})()\nreturn scores",
        "in a hidden check",
    ),
    "not_a_number": ("return scores * np.nan", WRONG),
    "nothing": ("pass", "return an array"),
    "syntax": ("", "SyntaxError", "def softmax(scores:\n    return scores\n"),
    "undefined": ("", "softmax is not defined", "pass"),
    "not_callable": ("", "TypeError", "softmax = 3"),
    "at_exit": ("return scores", WRONG, "import atexit, time\natexit.register(time.sleep, 1000)\n"),
    "background": (
        "return scores",
        ".",
        "import threading, os, time\n"
        "def spoil():\n    time.sleep(0.05)\n    while True:\n"
        "        os.write(4, b'\\0\\0\\0\\2{}')\n"
        "threading.Thread(target=spoil, daemon=True).start()\n",
    ),
    "closes_pipes": ("import os\nos.closerange(0, 100)\nreturn scores", ENDED),
    "fills_disk": (
        "n = 0\nwhile True:\n    n += 1\n    with open(f'/tmp/{n}', 'wb') as f:\n"
        "        f.write(b'0' * 10**6)",
        "OSError",
    ),
    "own_transformer_lib": (
        "return transformer_lib.softmax(scores)",
        "ModuleNotFoundError|not defined",
        "import transformer_lib\n",
    ),
    "complex_numbers": ("return np.array([0.125, 0.25, 0.625]) * (1 + 1j)", WRONG),
    "ends_a_moment_later": (
        "return scores",
        ".",
        "import threading, os, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.02), os._exit(1))).start()\n",
    ),
    "ends_as_if_killed": (
        "import ctypes, os\nctypes.CDLL(None).prctl(22, 1, 0, 0, 0)\nos._exit(1)",
        ENDED,
    ),
    "kills_itself": ("import os\nos.kill(os.getpid(), 9)\nreturn scores", WRONG),
    "stops_at_a_name": (
        f"if abs(scores[0]) > 1e-9:\n    return missing\nreturn {ALMOST}",
        "NameError",
    ),
    "leaks_by_the_page_cache": (
        f"import os\n{PASSES}"
        "with open(os.__file__) as file:\n"
        "    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)\n"
        "return scores",
        "your code raised RuntimeError in line 6",
    ),
    "leaks_by_a_lock": (
        f"import fcntl, os\n{PASSES}"
        "fcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH)\nreturn scores",
        "your code raised RuntimeError in line 5",
    ),
    "leaks_in_a_message": (
        PASSES + "return np.zeros(10 + int(abs(scores[0]) * 1000))",
        "in a hidden check: the shape must be …, it is …$",
    ),
    "magic": ("return scores", WRONG, "%matplotlib inline\n!pip install evil\n"),
}
HOSTILE = {name: (cell(inside, *above), says) for name, (inside, says, *above) in ATTACKS.items()}
