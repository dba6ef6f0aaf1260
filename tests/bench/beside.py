#!/usr/bin/env python3
"""Programs of this folder under gosched beside the same programs built by Go, in turn.

usage: beside.py [--go GO] [--gosched BINARY] [--rounds 5] [--traced] [program...]

Without names: the programs that are about goroutines and memory. Prints the wall and CPU time in seconds and the peak memory in MiB of
each, medians of all rounds, and what they are of Go's. Both must print the same. With --traced it prints instead how much more CPU
time a trace costs, by --sched-trace and by Go's package runtime/trace, and how large the files are.
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
TRACED = ["pingpong", "primesieve"]
FIGURES = ["wall", "cpu", "MiB"]
# What a program's own main is called by, to be traced.
TRACER = """package main

import (
	"os"
	"runtime/trace"
)

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(f); err != nil {
		panic(err)
	}
	ownMain()
	trace.Stop()
}
"""


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


def build(go, to, *files):
    environment = dict(os.environ, GOTOOLCHAIN="local", GOPROXY="off")
    subprocess.run([go, "build", "-o", to, *files], check=True, env=environment)
    return to


def trace(a, folder, name):
    """What tracing costs the program."""
    source = HERE / f"{name}.go"
    own, tracer = pathlib.Path(folder, f"{name}_own.go"), pathlib.Path(folder, "tracer.go")
    own.write_text(source.read_text().replace("func main() {", "func ownMain() {"))
    tracer.write_text(TRACER)
    plain = build(a.go, f"{folder}/{name}", str(source))
    traced = build(a.go, f"{folder}/{name}_traced", str(own), str(tracer))
    files = {"go": f"{folder}/go.trace", "gosched": f"{folder}/gosched.trace"}
    commands = {
        "go": ([plain], [traced, files["go"]]),
        "gosched": ([a.gosched, str(source)], [a.gosched, "run", f"--sched-trace={files['gosched']}", str(source)]),
    }
    runs = {who: ([], []) for who in commands}
    for _ in range(a.rounds):
        for who, both in commands.items():
            for command, times in zip(both, runs[who]):
                times.append(measure(command)[0][1])
    print(f"{name:12}", end="")
    for who, both in runs.items():
        off, on = map(statistics.median, both)
        size = os.path.getsize(files[who]) / 2**20
        print(f"  {who}: cpu {on:.2f} of {off:.2f} = {on / off:.2f}, {size:.1f} MiB", end="")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--go", default=os.environ.get("GOSCHED_GO", "go"))
    parser.add_argument("--gosched", default=str(ROOT / "target/release/gosched"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--traced", action="store_true")
    parser.add_argument("programs", nargs="*")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if a.traced:
            for name in a.programs or TRACED:
                trace(a, folder, name)
            return
        for name in a.programs or PROGRAMS:
            source = str(HERE / f"{name}.go")
            native = build(a.go, f"{folder}/{name}", source)
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
