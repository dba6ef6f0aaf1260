#!/usr/bin/env python3
"""Programs of this folder under gosched beside the same programs built by Go, in turn.

usage: beside.py [--go GO] [--gosched BINARY] [--rounds 5] [program...]

Without names: the programs that are about goroutines and memory. Prints the wall and CPU time in seconds and the peak memory in MiB of
each, medians of all rounds, and what they are of Go's. Both must print the same.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = ["timers", "parked", "parked1m", "binarytrees"]
FIGURES = ["wall", "cpu", "MiB"]


def measure(command):
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, subprocess.Popen(command, stdout=out) as process:
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{command}: ended with {process.returncode}")
        out.seek(0)
        return [wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], out.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--go", default=os.environ.get("GOSCHED_GO", "go"))
    parser.add_argument("--gosched", default=str(ROOT / "target/release/gosched"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    a = parser.parse_args()
    environment = dict(os.environ, GOTOOLCHAIN="local", GOPROXY="off")
    with tempfile.TemporaryDirectory() as folder:
        for name in a.programs:
            source, native = str(HERE / f"{name}.go"), f"{folder}/{name}"
            subprocess.run([a.go, "build", "-o", native, source], check=True, env=environment)
            runs = {"go": [], "gosched": []}
            for _ in range(a.rounds):
                figures, want = measure([native])
                runs["go"].append(figures)
                figures, got = measure([a.gosched, source])
                runs["gosched"].append(figures)
                if got != want:
                    raise SystemExit(f"{name}: the outputs differ")
            go, ours = ([statistics.median(column) for column in zip(*runs[who])] for who in ("go", "gosched"))
            shown = (f"{figure} {us:.2f} of {them:.2f} = {us / them:.2f}" for figure, us, them in zip(FIGURES, ours, go))
            print(f"{name:12}", "  ".join(shown), flush=True)


if __name__ == "__main__":
    main()
