"""A Jupyter kernel for Go: each cell is an input of a session of `gosched repl --json`."""

import json
import os
import queue
import signal
import subprocess
import threading

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel


class GoschedKernel(Kernel):
    implementation = "gosched"
    implementation_version = "1"
    banner = "Go, as gosched runs it"
    language_info = {
        "name": "go",
        "version": "1.27",
        "mimetype": "text/x-go",
        "file_extension": ".go",
    }

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        # A session of its own: interrupts come through the protocol, not from the terminal.
        self.gosched = subprocess.Popen(
            [os.environ.get("GOSCHED", "gosched"), "repl", "--json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
            encoding="utf-8", bufsize=1,
        )
        self.last = 0
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.gosched.stdout:
            self.lines.put(json.loads(line))
        self.lines.put({"event": "exit"})

    def request(self, op, **fields):
        self.last += 1
        self.gosched.stdin.write(json.dumps({"id": self.last, "op": op, **fields}) + "\n")
        return self.last

    def ask(self, op, **fields):
        """Asks, passes on what is printed meanwhile, and returns the reply."""
        # Whatever is done meanwhile, an interrupt comes in its turn.
        usual = signal.signal(signal.SIGINT, lambda *_: self.lines.put({"event": "interrupt"}))
        try:
            return self.answer(self.request(op, **fields))
        finally:
            signal.signal(signal.SIGINT, usual)

    def answer(self, awaited):
        while True:
            said = self.lines.get()
            if said.get("event") == "interrupt":
                self.request("interrupt")
            elif said.get("event") == "output":
                self.send_response(self.iopub_socket, "stream",
                                   {"name": said["stream"], "text": said["text"]})
            elif said.get("event") == "exit":
                raise SystemExit(self.gosched.wait())
            elif said.get("id") == awaited:
                return said

    def do_execute(self, code, silent, store_history=True, user_expressions=None,
                   allow_stdin=False, **_):
        reply = self.ask("eval", code=code)
        values = "\n".join(f"{v['text']} // {v['type']}" for v in reply.get("values", []))
        text = values or reply.get("text", "")
        if text and not silent:
            self.send_response(self.iopub_socket, "execute_result",
                               {"execution_count": self.execution_count, "metadata": {},
                                "data": {"text/plain": text}})
        result = {"execution_count": self.execution_count}
        if reply["ok"]:
            return {"status": "ok", "payload": [], "user_expressions": {}, **result}
        errors = [f"{e.get('line', '')}:{e.get('column', '')}: {e['message']}"
                  for e in reply.get("errors", [])]
        error = {"ename": reply["status"], "evalue": "; ".join(errors),
                 "traceback": errors or [reply["status"]]}
        if not silent:
            self.send_response(self.iopub_socket, "error", error)
        return {"status": "error", **error, **result}

    def do_complete(self, code, cursor_pos):
        reply = self.ask("complete", code=code, cursor=cursor_pos)
        return {"status": "ok", "matches": reply["matches"], "cursor_start": reply["from"],
                "cursor_end": cursor_pos, "metadata": {}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        reply = self.ask("inspect", code=code, cursor=cursor_pos)
        data = {"text/plain": reply["text"]} if reply["ok"] else {}
        return {"status": "ok", "found": reply["ok"], "data": data, "metadata": {}}

    def do_is_complete(self, code):
        return {"status": self.ask("is_complete", code=code)["status"], "indent": "\t"}


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=GoschedKernel)
