"""Whether a page can send anything: it is made to try in every way that a browser has."""

import http.server
import threading

# Each way of asking for an address; those that report failure do so through what they return.
TRY = """
const [address, done] = arguments;
const socket = address.replace('http', 'ws');
const inWorker = (source) => new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
const add = (name, properties) => document.body.append(Object.assign(document.createElement(name), properties));
const ways = {
  fetch: () => fetch(address + 'fetch', {mode: 'no-cors'}),
  request: () => { const request = new XMLHttpRequest(); request.open('GET', address + 'request'); request.send(); },
  socket: () => new WebSocket(socket + 'socket'),
  events: () => new EventSource(address + 'events'),
  beacon: () => navigator.sendBeacon(address + 'beacon', 'x'),
  picture: () => add('img', {src: address + 'picture'}),
  frame: () => add('iframe', {src: address + 'frame'}),
  script: () => add('script', {src: address + 'script'}),
  style: () => add('link', {rel: 'stylesheet', href: address + 'style'}),
  object: () => add('object', {data: address + 'object'}),
  form: () => { const form = Object.assign(document.createElement('form'), {action: address + 'form', method: 'post', target: '_blank'});
                document.body.append(form); form.submit(); },
  worker: () => inWorker(`fetch('${address}worker', {mode: 'no-cors'}); importScripts('${address}import');`),
};
(async () => {
  for (const way of Object.values(ways)) {
    try { await way(); } catch (error) { /* it is refused */ }
  }
  setTimeout(() => done(Object.keys(ways).length), 300);
})();
"""


class Listener(http.server.ThreadingHTTPServer):
    """A server that notes which paths are asked for."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.asked = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_):
            pass


def check_silence(browser, failures, what):
    """Of the open page, whose elements are left changed."""
    with Listener() as listener:
        address = f"http://127.0.0.1:{listener.server_port}/"
        browser.console()
        count = browser.run_until(TRY, address)
        failures.expect(not listener.asked, f"{what} asks for {listener.asked}")
        refused = [each for each in browser.console() if "Content Security Policy" in each]
        failures.expect(len(refused) >= count // 2, f"{what}: the policy refuses {len(refused)} of {count} ways")
        listener.shutdown()
