#!/usr/bin/env python3
"""Runs soak.go and measures it from outside: threads, descriptors and resident memory as the kernel tells them, every ten seconds.

usage: soak.py [--gosched BINARY] [--minutes 10] [kind...]

Prints a table of samples, each beside the line of counts that the program printed last, and fails if the program does, or if in the
second half of the time it takes clearly more than in the first: then something leaks.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EVERY = 10.0

# How much more the second half may take: threads come and go with system calls, descriptors with what is open at the moment.
MORE = {"threads": lambda n: n + 4, "fds": lambda n: n + 16, "MB": lambda n: n * 1.1 + 8}


def sample(pid):
    with open(f"/proc/{pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        rss = next(int(line.split()[1]) for line in rollup if line.startswith("Rss:"))
    return {"threads": int(fields["Threads"]), "fds": len(os.listdir(f"/proc/{pid}/fd")), "MB": round(rss / 1024, 1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gosched", default=str(ROOT / "target/release/gosched"))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("kinds", nargs="*")
    a = parser.parse_args()
    command = [a.gosched, str(HERE / "soak.go"), str(a.minutes), *a.kinds]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = [""]

    def read():
        for line in process.stdout:
            lines.append(line.rstrip())

    reader = threading.Thread(target=read)
    reader.start()
    begin = time.monotonic()
    samples = []
    while process.poll() is None and time.monotonic() - begin < a.minutes * 60 - EVERY / 2:
        time.sleep(EVERY)
        try:
            s = sample(process.pid)
        except OSError:
            break
        samples.append(s)
        print(f"{time.monotonic() - begin:5.0f}s", *(f"{k} {v}" for k, v in s.items()), "|", lines[-1], flush=True)
    try:
        status = process.wait(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        status = "none: it did not end"
    reader.join()
    print(lines[-1], "exit status", status)
    failed = status != 0
    # Without the first minute: caches fill, the heap finds its size.
    steady = samples[6:]
    half = len(steady) // 2
    for k, allowed in MORE.items():
        if half == 0:
            break
        first, second = (max(s[k] for s in part) for part in (steady[:half], steady[half:]))
        grows = second > allowed(first)
        failed = failed or grows
        print(f"{k}: at most {first} in the first half, {second} in the second{': GROWS' if grows else ''}")
    sys.exit("FAILED" if failed else 0)


if __name__ == "__main__":
    main()
