"""vgsim.html in a browser, with the interface of studio_process.Studio."""

import json
import pathlib
import subprocess
import tempfile

ASK = """
const [path, body, done] = arguments;
const options = body === null ? {} : {method: 'POST', body: JSON.stringify(body)};
reach(path, options).then(async (response) => done([response.status, response.headers.get('Content-Type'),
                                                    await response.text()]));
"""


class FileStudio:
    """To be used in a with statement. `browser`: the one in which its page is opened."""

    browser = None

    def __init__(self, program, scenario=None, **_):
        self.folder = tempfile.TemporaryDirectory(prefix="vgsim-html-")
        self.file = pathlib.Path(self.folder.name) / "vgsim.html"
        self.write(program, [scenario] if scenario else [])
        self.address = self.file.as_uri()

    def write(self, program, scenario):
        subprocess.run([program, "studio", "--export", *scenario, "-o", str(self.file)], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def ask(self, path, body=None):
        """Status and answer of the open page; the answer is JSON or text."""
        status, kind, text = self.browser.run_until(ASK, path, body)
        return status, json.loads(text) if kind.startswith("application/json") else text


class ReportStudio(FileStudio):
    """A report that contains it."""

    def write(self, program, scenario):
        subprocess.run([program, "report", *scenario, "--draws", "0", "--quiet", "--with-simulator", "-o",
                        str(self.file)], check=True)
