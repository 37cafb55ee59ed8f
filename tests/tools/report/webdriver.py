"""A headless Chromium, driven over the WebDriver protocol with the standard library alone."""

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.request

HANG = 600  # seconds: nothing that a browser is asked for takes so long, on any machine


def missing_programs():
    """Which of the needed programs are not installed."""
    browsers = ("chromium", "chromium-browser", "google-chrome")
    missing = [] if any(shutil.which(name) for name in browsers) else ["chromium"]
    return missing + ([] if shutil.which("chromedriver") else ["chromedriver"])


class Browser:
    """To be used in a with statement, which ends the browser."""

    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            self.port = self._port_of_driver()
            self.session = "/session/" + self._new_session()["sessionId"]
        except Exception:
            self._end_driver()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self._end_driver()

    def _end_driver(self):
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()

    def _port_of_driver(self):
        """A free port, which the driver chooses and prints."""
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                return int(started[1])
        raise RuntimeError(f"chromedriver ends with {self.driver.wait()}")

    def _new_session(self):
        # Containers have neither a sandbox for other users nor much shared memory.
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--hide-scrollbars"]}
        wanted = {"goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                  "timeouts": {"script": HANG * 1000, "pageLoad": HANG * 1000}}
        # The driver itself waits a minute for its browser, which a busy machine may not start in.
        for attempts_left in range(9, -1, -1):
            try:
                return self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            except RuntimeError as error:
                if attempts_left == 0 or "session not created" not in str(error):
                    raise

    def _call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method,
                                         data=data, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=HANG) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()}") from error

    def devtools(self, command, **parameters):
        return self._call("POST", self.session + "/goog/cdp/execute",
                          {"cmd": command, "params": parameters})

    def look(self, width, height, scheme, media=""):
        """How wide the page is, "light" or "dark", on the screen or on paper."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url):
        self._call("POST", self.session + "/url", {"url": url})

    def newest_tab(self):
        """Goes on with the tab that was opened last."""
        self._call("POST", self.session + "/window",
                   {"handle": self._call("GET", self.session + "/window/handles")[-1]})

    def run(self, script, *arguments):
        return self._call("POST", self.session + "/execute/sync",
                          {"script": script, "args": list(arguments)})

    def run_until(self, script, *arguments):
        """The same of a script that hands its result to the function that is its last argument."""
        return self._call("POST", self.session + "/execute/async",
                          {"script": script, "args": list(arguments)})

    def console(self):
        return [entry["message"] for entry in self._log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def _log(self, kind):
        return self._call("POST", self.session + "/se/log", {"type": kind})

    def screenshot(self):
        """The page as PNG, in base64."""
        return self.devtools("Page.captureScreenshot", format="png")["data"]

    def pdf(self, width=8.5, height=11):
        """The printed page as PDF, in base64; the paper in inches."""
        return self.devtools("Page.printToPDF", printBackground=False, paperWidth=width,
                             paperHeight=height)["data"]
