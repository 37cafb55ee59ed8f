"""A running `vgsim studio`, and requests of tests."""

import json
import os
import re
import subprocess
import tempfile
import urllib.error
import urllib.request


class Studio:
    """To be used in a with statement, which ends it."""

    def __init__(self, program, *arguments, cwd=None, environment=None, sessions=None):
        """`sessions`: the folder in which it saves; by default a new one."""
        if environment is None:
            self.sessions = tempfile.TemporaryDirectory(prefix="vgsim-sessions-")
            sessions = sessions or self.sessions.name
            environment = {**os.environ, "XDG_STATE_HOME": str(sessions)}
        self.process = subprocess.Popen([program, "studio", "--no-browser", *arguments], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                                        env=environment)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]+)/", line)
        if not found:
            raise RuntimeError(f"no address in {line!r}: {self.process.communicate()}")
        self.address, self.port, self.token = found[0], int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()

    def end(self):
        """Ends it as Ctrl-C does; its exit code."""
        self.process.terminate()
        self.process.communicate()
        return self.process.returncode

    def ask(self, path, body=None):
        """Status and answer; the answer is JSON or text."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, read(answer)
        except urllib.error.HTTPError as error:
            return error.code, read(error)

    def memory(self):
        """Bytes that it has in memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1]) * 1024


def read(answer):
    text = answer.read().decode()
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        return json.loads(text)
    return text
