#!/usr/bin/env python3
"""An echo server under gosched beside the same program built by Go, under the same load, in turn.

usage: echo.py [--go GO] [--gosched BINARY] [--conns 1000] [--seconds 4] [--rounds 5]

The load is the program built by Go. Prints messages per second, the server's CPU time for each and round trips in microseconds,
and the ratios of the medians: the throughput should be at least 0.5 of Go's, the 99th percentile at most twice Go's. On a machine
with other work the CPU time is the figure to look at.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def measure(server, client, conns, seconds):
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip()
            out = subprocess.run([client, "load", address, str(conns), str(seconds)], capture_output=True, text=True, check=True)
            with open(f"/proc/{process.pid}/status") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
            with open(f"/proc/{process.pid}/stat") as stat:
                ticks = sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
        finally:
            process.kill()
    rate, p50, p99, worst = map(int, out.stdout.split())
    cpu = ticks / os.sysconf("SC_CLK_TCK") / (rate * seconds) * 1e6
    return {"rate": rate, "cpu": round(cpu, 2), "p50": p50, "p99": p99, "max": worst, "KiB": peak}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--go", default=os.environ.get("GOSCHED_GO", "go"))
    parser.add_argument("--gosched", default=str(ROOT / "target/release/gosched"))
    parser.add_argument("--conns", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    a = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * a.conns)), hard))
    with tempfile.TemporaryDirectory() as folder:
        native = folder + "/echo"
        environment = dict(os.environ, GOTOOLCHAIN="local", GOPROXY="off")
        subprocess.run([a.go, "build", "-o", native, str(HERE / "echo.go")], check=True, env=environment)
        servers = {
            "go": [native, "serve", "127.0.0.1:0"],
            "gosched": [a.gosched, str(HERE / "echo.go"), "serve", "127.0.0.1:0"],
        }
        runs = {name: [] for name in servers}
        for _ in range(a.rounds):
            for name, command in servers.items():
                r = measure(command, native, a.conns, a.seconds)
                runs[name].append(r)
                print(f"{name:8}", *(f"{k} {v}" for k, v in r.items()), flush=True)
    median = {name: {k: statistics.median(r[k] for r in rs) for k in rs[0]} for name, rs in runs.items()}
    for k in median["go"]:
        print(f"{k:5} gosched/go {median['gosched'][k] / median['go'][k]:.2f}")


if __name__ == "__main__":
    main()
