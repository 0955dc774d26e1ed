"""An HTTP client that sends exactly the given bytes and shows everything that it receives."""

import json
import socket


class Closed(Exception):
    """The server closed the connection before the expected bytes arrived."""


class Silent(Exception):
    """The server neither answered nor closed the connection in time."""


class Malformed(Exception):
    """What the server sent is not HTTP."""


def request(method, target, *fields, body=None, version="1.1", host="localhost"):
    """Returns the bytes of a request. A body gets its `Content-Length`; `host=None` leaves out `Host`."""
    lines = [f"{method} {target} HTTP/{version}"]
    if host is not None:
        lines.append(f"Host: {host}")
    lines += fields
    if isinstance(body, str):
        body = body.encode()
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (body or b"")


def json_request(method, target, document, *fields):
    """Returns the bytes of a request whose body is JSON."""
    return request(method, target, "Content-Type: application/json", *fields, body=json.dumps(document))


class Answer:
    """One response of the server."""

    def __init__(self, head, fields):
        try:
            self.version, status, *_ = head.split(" ", 2)
            self.status = int(status)
        except ValueError:
            raise Malformed(f"no status line: {head!r}") from None
        if not self.version.startswith("HTTP/1."):
            raise Malformed(f"no status line: {head!r}")
        self.fields = fields
        self.body = b""

    def __repr__(self):
        return f"{self.status} {self.fields} {self.body[:300]!r}"

    def field(self, name):
        """Returns the value of a header field, or `None` if it is missing. Fails if the field occurs twice."""
        values = [value for other, value in self.fields if other.lower() == name.lower()]
        if len(values) > 1:
            raise Malformed(f"{name} is there {len(values)} times")
        return values[0] if values else None

    @property
    def is_last(self):
        """Whether the server announces that it closes the connection."""
        return (self.field("Connection") or "").lower() == "close"

    @property
    def is_problem(self):
        """Whether the body is a problem document with the same status and with advice."""
        if self.field("Content-Type") != "application/problem+json":
            return False
        problem = self.json()
        return problem["status"] == self.status and all(problem[name] for name in ("type", "title", "detail"))

    def json(self):
        return json.loads(self.body)


class Connection:
    """A separate connection to the server."""

    def __init__(self, port, patience=20):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def send_what_is_read(self, data):
        """Sends as much as the server accepts: it can refuse the request and close before it has read everything."""
        try:
            self.socket.sendall(data)
        except (ConnectionError, socket.timeout):
            pass

    def send_bytewise(self, data):
        for place in range(len(data)):
            self.socket.sendall(data[place : place + 1])

    def finish_sending(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def answer(self, to_head=False):
        """Reads one final response. Fails on an interim one, which `head` reads."""
        answer = self.head()
        if answer.status < 200:
            raise Malformed(f"an interim response that was not asked for: {answer}")
        if to_head or answer.status in (204, 304):
            return answer
        if answer.field("Transfer-Encoding") is not None:
            while chunk := self.chunk():
                answer.body += chunk
        elif (length := answer.field("Content-Length")) is not None:
            answer.body = self.take(int(length))
        else:
            answer.body = self.rest()
        return answer

    def ask(self, data):
        """Sends one request and reads its response."""
        self.send(data)
        return self.answer(to_head=data.startswith(b"HEAD "))

    def head(self):
        """Reads a status line and the header fields after it."""
        first, *lines = self.take_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        fields = []
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not name or name != name.strip() or "\n" in line:
                raise Malformed(f"no header field: {line!r}")
            fields.append((name, value.strip()))
        return Answer(first, fields)

    def chunk(self):
        """Reads one chunk of a chunked body. The last chunk is empty."""
        size = self.take_until(b"\r\n")
        try:
            chunk = self.take(int(size.split(b";")[0], 16))
        except ValueError:
            raise Malformed(f"no size of a chunk: {size!r}") from None
        if self.take(2) != b"\r\n":
            raise Malformed("a chunk without its end")
        return chunk

    def rest(self):
        """Reads everything until the server closes the connection."""
        try:
            while self.read_more():
                pass
        except ConnectionError:
            pass  # The server closed before it had read everything.
        rest, self.received = self.received, b""
        return rest

    def take(self, count):
        while len(self.received) < count:
            self.require_more()
        taken, self.received = self.received[:count], self.received[count:]
        return taken

    def take_until(self, end):
        while (place := self.received.find(end)) < 0:
            self.require_more()
        taken, self.received = self.received[:place], self.received[place + len(end) :]
        return taken

    def require_more(self):
        try:
            if self.read_more():
                return
        except ConnectionError as error:
            raise Closed(f"{error}, after {self.received[:300]!r}") from None
        raise Closed(f"the connection was closed after {self.received[:300]!r}")

    def read_more(self):
        try:
            part = self.socket.recv(65_536)
        except socket.timeout:
            raise Silent(f"nothing came in {self.socket.gettimeout()} s after {self.received[:300]!r}") from None
        self.received += part
        return bool(part)


class EventStream:
    """A stream of server-sent events."""

    def __init__(self, connection, session, *fields):
        self.connection = connection
        connection.send(request("GET", f"/sessions/{session}/events", "Accept: text/event-stream", *fields))
        answer = connection.head()
        if (answer.status, answer.field("Content-Type")) != (200, "text/event-stream"):
            raise Malformed(f"no stream: {answer}")
        self.text = b""
        self.has_ended = False

    def message(self):
        """Returns the next message as a dictionary, without comments; `None` at the clean end of the stream."""
        while True:
            while b"\n\n" not in self.text:
                chunk = self.connection.chunk()
                if not chunk:
                    if self.text:
                        raise Malformed(f"the stream ended within a message: {self.text!r}")
                    self.has_ended = True
                    return None
                self.text += chunk
            block, self.text = self.text.split(b"\n\n", 1)
            message = {}
            for line in block.decode().split("\n"):
                name, _, value = line.partition(":")
                if name:
                    message[name] = value.removeprefix(" ")
            if message:
                return message

    def messages_until_the_end(self):
        return list(iter(self.message, None))

    def close(self):
        self.connection.close()
