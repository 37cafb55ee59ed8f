#!/usr/bin/env python3
"""What others could try against a running studio: it refuses, reads and writes nothing, and goes on
answering. Arguments: the program, the source folder."""

import json
import pathlib
import random
import signal
import socket
import sys
import tempfile

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
from failures import Failures  # noqa: E402
from studio_process import Studio  # noqa: E402

HANG = 60  # seconds: nothing that is asked here takes so long
SECRET = "a file that was not given to the studio"


def knock(port, text):
    """What comes back to these bytes, whatever it is."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG) as connection:
        try:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while more := connection.recv(65536):
                answer += more
            return answer
        except (ConnectionResetError, BrokenPipeError):
            return b""


def status_of(answer):
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def request(method, target, headers, body=""):
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()),
             "Connection: close", f"Content-Length: {len(body)}", "", body]
    return "\r\n".join(lines)


def check_alive(studio, failures, after):
    status, state = studio.ask("state")
    failures.expect(status == 200 and state["answer"], f"it no longer answers after {after}")


def check_strangers(studio, failures):
    """Other hosts, origins and tokens; nothing is changed by any of them."""
    here = {"Host": f"127.0.0.1:{studio.port}"}
    path = f"/{studio.token}/state"
    change = json.dumps({"set": [{"pointer": "/job/epochs", "value": 77}]})
    json_type = {"Content-Type": "application/json"}
    wrong = studio.token[:-1] + ("0" if studio.token[-1] != "0" else "1")
    cases = [
        ("the page's own request", 200, request("GET", path, here)),
        ("its own origin", 200, request("GET", path, {**here, "Origin": f"http://{here['Host']}"})),
        ("a name that was bound to this machine", 403, request("GET", path, {"Host": "evil.example"})),
        ("the same with the port", 403,
         request("GET", path, {"Host": f"evil.example:{studio.port}"})),
        ("an empty host", 403, request("GET", path, {"Host": ""})),
        ("no host", 403, f"GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n"),
        ("another origin", 403, request("GET", path, {**here, "Origin": "https://evil.example"})),
        ("no origin", 403, request("GET", path, {**here, "Origin": "null"})),
        ("another site", 403, request("GET", path, {**here, "Sec-Fetch-Site": "cross-site"})),
        ("no token", 403, request("GET", "/state", here)),
        ("nothing", 403, request("GET", "/", here)),
        ("a wrong token", 403, request("GET", f"/{wrong}/state", here)),
        ("half a token", 403, request("GET", f"/{studio.token[:8]}/state", here)),
        ("a whole address of another machine", 403,
         request("GET", f"http://evil.example{path}", here)),
        ("a change of another origin", 403,
         request("POST", f"/{studio.token}/change", {**here, **json_type, "Origin": "http://evil.example"},
                 change)),
        ("a change as a form sends it", 415,
         request("POST", f"/{studio.token}/change", {**here, "Content-Type": "text/plain"}, change)),
        ("another method", 405, request("DELETE", path, here)),
        ("OPTIONS", 405, request("OPTIONS", path, here)),
        ("something unknown", 404, request("GET", f"/{studio.token}/unknown", here)),
    ]
    for what, expected, text in cases:
        got = status_of(knock(studio.port, text))
        failures.expect(got == expected, f"{what}: {got} instead of {expected}")
    steps = studio.ask("state")[1]["steps"]
    failures.expect(not steps, f"a stranger has made {steps}")


def check_paths(studio, secret, failures):
    """No file of this machine is handed over, whatever it is called."""
    names = ["../../../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd",
             "....//....//etc/passwd", "/etc/passwd", str(secret), f"export?as={secret}",
             f"thing?name={secret}", "studio.js/../../../../etc/passwd", "studio.js%00.html",
             "\\..\\..\\etc\\passwd"]
    for name in names:
        text = request("GET", f"/{studio.token}/{name}", {"Host": f"127.0.0.1:{studio.port}"})
        answer = knock(studio.port, text)
        failures.expect(status_of(answer) in (400, 403, 404), f"{name}: {answer[:60]}")
        failures.expect(SECRET.encode() not in answer and b"root:" not in answer, f"{name} is read")
    for pointer, value in [("/hosts/*/topology", str(secret)), ("/job/network", str(secret)),
                           ("/hosts/*/topology", "../../../../etc/passwd.json")]:
        status, state = studio.ask("change", {"set": [{"pointer": pointer, "value": value}]})
        failures.expect(status == 200 and state["outcome"] == "refused", f"{pointer} = {value}: {status}")
        failures.expect(SECRET not in json.dumps(state), f"{pointer} = {value} is read")


def check_malformed(studio, failures):
    """Malformed requests, requests that are too large, and JSON that is not expected."""
    here = {"Host": f"127.0.0.1:{studio.port}"}
    json_type = {**here, "Content-Type": "application/json"}
    change = f"/{studio.token}/change"
    deep = "[" * 100_000
    draws = random.Random(1)
    cases = [
        ("noise", bytes(draws.randrange(256) for _ in range(4096))),
        ("no HTTP", "hello\r\n\r\n"),
        ("a bad version", f"GET {change} HTTP/9.9\r\n\r\n"),
        ("a header without an end", "GET / HTTP/1.1\r\nX: " + "a" * 100_000),
        ("many headers", "GET / HTTP/1.1\r\n" + "X: y\r\n" * 50_000 + "\r\n"),
        ("a long address", f"GET /{'a' * 100_000} HTTP/1.1\r\n\r\n"),
        ("a body of 100 MB", request("POST", change, {**json_type}) .replace(
            "Content-Length: 0", "Content-Length: 100000000") + "x" * 1000),
        ("two lengths", f"POST {change} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 5\r\n\r\nx"),
        ("a negative length", f"POST {change} HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        ("chunks without an end", f"POST {change} HTTP/1.1\r\nHost: {here['Host']}\r\nContent-Type: "
                                  "application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\nx"),
        ("no JSON", request("POST", change, json_type, "{")),
        ("JSON that is deep", request("POST", change, json_type, deep)),
        ("a change that is none", request("POST", change, json_type, '{"set": 3}')),
        ("an unknown key", request("POST", change, json_type, '{"shell": "ls"}')),
        ("half a request", f"POST {change} HTTP/1.1\r\nHost: {here['Host']}\r\nContent-Length: 10\r\n\r\n{{"),
    ]
    for what, text in cases:
        status = status_of(knock(studio.port, text))
        failures.expect(status == 0 or 400 <= status < 500, f"{what}: {status}")
        check_alive(studio, failures, what)
    for body in [{"set": [{"pointer": "no pointer", "value": 1}]}, {"hosts": 0}, {"hosts": 10**18},
                 {"set": [{"pointer": "/job/batch_per_gpu", "value": -1}]},
                 {"set": [{"pointer": "/job", "value": None}]},
                 {"set": [{"pointer": "/hosts", "value": {}}]}]:
        status, answer = studio.ask("change", body)
        refused = status == 400 or answer.get("outcome") == "refused"
        failures.expect(refused, f"{body} is taken: {status}")
    for body in [{}, {"scenario": 3}, {"scenario": {"name": "x"}}, {"scenario": {}}]:
        failures.expect("error" in studio.ask("open", body)[1], f"{body} is opened")
    check_alive(studio, failures, "changes that are none")


def check_crowd(studio, failures):
    """A thousand connections that send nothing, or an incomplete request."""
    crowd = []
    for n in range(1000):
        try:
            connection = socket.create_connection(("127.0.0.1", studio.port), timeout=HANG)
            if n % 3 == 0:
                connection.sendall(b"GET /")
            crowd.append(connection)
        except OSError:
            break
    print(f"a crowd of {len(crowd)} connections", flush=True)
    failures.expect(studio.process.poll() is None, "it died of the crowd")
    check_alive(studio, failures, "a crowd that stays")
    for connection in crowd:
        connection.close()
    check_alive(studio, failures, "the crowd")


def check_loopback(studio, failures):
    """It listens on 127.0.0.1 and nowhere else."""
    listening = []
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/{studio.process.pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            address, port = words[1].split(":")
            if int(port, 16) == studio.port and words[3] == "0A":
                listening.append((table, address))
    failures.expect(listening == [("tcp", "0100007F")], f"it listens on {listening}")


def check_survival(program, folder, failures):
    """Nothing that was changed is lost, however it ends; what is saved is whole."""
    file = folder / "kept.json"
    for n, ending in enumerate((signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        with Studio(program, "xe8545-4xa100", "--save", str(file)) as studio:
            before = studio.ask("state")[1]
            batch = 8 + 8 * n
            studio.ask("change", {"set": [{"pointer": "/job/batch_per_gpu", "value": batch}]})
            studio.process.send_signal(ending)
            studio.process.communicate()
            code = studio.process.returncode
            failures.expect(code == (-9 if ending == signal.SIGKILL else 0), f"{ending.name}: exit code {code}")
        if n > 0:
            failures.expect(before["steps"], "nothing was restored")
        with Studio(program, "--save", str(file)) as studio:
            state = studio.ask("state")[1]
            value = [c["value"] for c in state["controls"] if c["id"] == "/job/batch_per_gpu"]
            failures.expect(value == [str(batch)], f"{ending.name}: {value} instead of {batch}")
            failures.expect(studio.ask("undo", {})[1]["done"] == 0, "what was restored cannot be undone")
            failures.expect(studio.ask("redo", {})[1]["done"] == 1, "and not be done again")
    left = sorted(path.name for path in folder.iterdir())
    failures.expect(left == ["kept.json", "secret.json"], f"the folder has {left}")


def check_suspended(program, folder, failures):
    """A closed laptop: connections without a reader, or a studio that is suspended for a while, lose
    nothing; later requests are answered, and changes are kept."""
    file = folder / "suspended.json"
    with Studio(program, "xe8545-4xa100", "--save", str(file)) as studio:
        here = {"Host": f"127.0.0.1:{studio.port}"}
        asleep = []
        for path in ("state", "state", "news?after=999999", "export?as=html"):
            connection = socket.create_connection(("127.0.0.1", studio.port), timeout=HANG)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            knocking = request("GET", f"/{studio.token}/{path}", here).replace("Connection: close\r\n", "")
            connection.sendall(knocking.encode() * 20)  # far more answers than a socket takes
            asleep.append(connection)
        studio.ask("change", {"set": [{"pointer": "/job/batch_per_gpu", "value": 24}]})
        check_alive(studio, failures, "connections without a reader")
        studio.process.send_signal(signal.SIGSTOP)
        waiting = socket.create_connection(("127.0.0.1", studio.port), timeout=HANG)
        waiting.sendall(request("GET", f"/{studio.token}/state", here).encode())
        studio.process.send_signal(signal.SIGCONT)
        begin = waiting.recv(12)
        failures.expect(begin == b"HTTP/1.1 200", f"a request during the suspension gets {begin}")
        studio.ask("change", {"set": [{"pointer": "/job/batch_per_gpu", "value": 40}]})
        wait_for(lambda: file.exists() and '"batch_per_gpu": 40' in file.read_text())
        studio.process.kill()
        studio.process.communicate()
        for connection in (*asleep, waiting):
            connection.close()
    with Studio(program, "--save", str(file)) as studio:
        state = studio.ask("state")[1]
        value = [c["value"] for c in state["controls"] if c["id"] == "/job/batch_per_gpu"]
        failures.expect(value == ["40"], f"after a suspended connection {value} instead of 40 is restored")


def wait_for(holds):
    while not holds():
        pass


def check_ssh(program, failures):
    """Over SSH it prints the command that makes it reachable, and opens no browser."""
    environment = {"SSH_CONNECTION": "10.0.0.9 51234 10.0.0.7 22", "USER": "ann", "PATH": "/usr/bin:/bin"}
    with Studio(program, environment=environment) as studio:
        line = studio.process.stdout.readline()
        expected = f"ssh -N -L {studio.port}:127.0.0.1:{studio.port} ann@10.0.0.7"
        failures.expect(expected in line, f"{line!r} has no {expected}")


def main(program, source):
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        secret = folder / "secret.json"
        secret.write_text(json.dumps({"name": SECRET}))
        with Studio(program, str(pathlib.Path(source) / "configs/scenarios/xe8545-4xa100.json")) as studio:
            studio.ask("state")
            check_strangers(studio, failures)
            check_paths(studio, secret, failures)
            check_malformed(studio, failures)
            check_crowd(studio, failures)
            check_loopback(studio, failures)
            failures.expect(studio.end() == 0, "Ctrl-C does not exit with 0")
        check_survival(program, folder, failures)
        check_suspended(program, folder, failures)
        check_ssh(program, failures)
    print("no failures" if failures.count == 0 else f"{failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
