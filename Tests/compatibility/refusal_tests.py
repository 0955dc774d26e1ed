"""Requests that are malformed, ambiguous or too large.

libmicrohttpd passes some of them to the server, which refuses them. It refuses others itself, or accepts them leniently,
depending on its version. Each row of a table names what is allowed for it:

- `OURS`: one problem document of the given status, and the end of the connection.
- `LIBRARY`: any refusal: an error answer, or the end of the connection without an answer.
- `LENIENT`: any refusal, or the answer to one ordinary request, after which the connection is still usable.
- `FITS`: the answer to one ordinary request.
"""

import random
import re

from checks import ServerTests
from client import Closed, json_request, request

OURS, LIBRARY, LENIENT, FITS = "ours", "library", "lenient", "fits"

LIVEZ = request("GET", "/livez")
SMUGGLED = request("GET", "/smuggled")
CHUNKED = "Transfer-Encoding: chunked"


class Row:
    def __init__(self, allowed, data, status=400, name=None):
        self.allowed = allowed
        self.data = data if isinstance(data, bytes) else data.encode("latin-1")
        self.status = status
        self.name = name or repr(self.data)[1:]

    def __str__(self):
        return f"{self.allowed} {self.status}: {self.name}"


def get(*fields):
    return request("GET", "/livez", *fields)


def get_target(target, *fields):
    return request("GET", target, *fields)


def post(body, *fields):
    return request("POST", "/sessions", *fields, body=body)


# Requests that the server refuses with every version of the library, or that some version refuses itself.
REFUSALS = [
    Row(LIBRARY, post("", CHUNKED) + b"0\r\n\r\n", 411),
    Row(LIBRARY, get(CHUNKED, CHUNKED) + b"0\r\n\r\n", 411),
    Row(LIBRARY, get(CHUNKED, "Content-Length: 5"), 411),
    Row(LIBRARY, get("transfer-encoding: gzip, chunked"), 411),
    Row(LIBRARY, get("Transfer-Encoding: xchunked"), 411),
    Row(LIBRARY, get("Transfer-Encoding: identity"), 411),
    Row(LIBRARY, get("Transfer-Encoding:"), 411),
    Row(LIBRARY, get("Transfer-Encoding: gzip", CHUNKED), 411),
    Row(OURS, post("four", "Content-Length: 5")),
    Row(OURS, post("four", "Content-Length: 4")),
    Row(OURS, post("four", "content-length: 0")),
    Row(LIBRARY, get("Transfer-Encoding : chunked")),
    Row(LIBRARY, post("", "Content-Length : 5")),
    Row(LIBRARY, get("Two Words: 1")),
    Row(OURS, get("(comment): 1")),
    Row(LENIENT, get(": 1")),
    Row(OURS, get("Na\u00efve: 1")),
    Row(LIBRARY, get("Tab\t: 1")),
    Row(LIBRARY, "GET /livez HTTP/1.1\r\n\r\n"),
    Row(LIBRARY, "GET /livez HTTP/1.1\r\nHos: localhost\r\n\r\n"),
    Row(OURS, get("Host: localhost")),
    Row(OURS, get("hOST: other")),
    Row(OURS, "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    Row(OURS, "GET /livez HTTP/1.1\r\nHost: user@localhost\r\n\r\n"),
    Row(OURS, get("A: \x01")),
    Row(OURS, get("A: b\x0bc")),
    Row(LIBRARY, get("A: b\rc")),
    Row(OURS, get("A: \x7f")),
    Row(LENIENT, get("A: b\0c")),
    Row(LENIENT, get("A: b\0")),
    Row(LENIENT, get("\0Content-Length: 5")),
    Row(LENIENT, get("A: b\n\0Content-Length: 5")),
    Row(LENIENT, get("A: b", " continued: c")),
    Row(LENIENT, get("A: b", "\tcontinued")),
    Row(LENIENT, "GET /livez HTTP/1.1\nHost: localhost\n\n"),
    Row(LENIENT, "GET /livez HTTP/1.1\r\nHost: localhost\nA: b\r\n\r\n"),
    Row(LENIENT, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\n"),
    Row(LENIENT, "GET /livez HTTP/1.0\n\n"),
    Row(LENIENT, "GET  /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Row(LENIENT, get_target("/livez\0b")),
    Row(LENIENT, get_target("/livez?b\0c")),
    Row(LENIENT, "G\0T /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Row(OURS, "GE(T) /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Row(LIBRARY, "\tGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Row(OURS, get_target("/livez%00b")),
    Row(OURS, get_target("/livez?b=%00")),
    Row(OURS, get_target("/livez%")),
    Row(OURS, get_target("/livez%2")),
    Row(OURS, get_target("/livez?b=%zz")),
    Row(OURS, get_target("/livez\x01")),
    Row(LIBRARY, get_target("/livez\tb")),
    Row(OURS, get_target("/livez?\x7f")),
    Row(LIBRARY, get_target("/livez\rb")),
    Row(OURS, get_target("/livez#b")),
    Row(LIBRARY, get_target("/livez b")),
    Row(LIBRARY, get_target("/livez ")),
    Row(LIBRARY, get_target("/livez?b c")),
    Row(OURS, get_target("livez")),
    Row(OURS, get_target("?a=b")),
    Row(OURS, get_target("ftp://localhost/")),
    Row(OURS, get_target("http:///livez")),
    Row(OURS, get_target("*?a")),
    Row(OURS, get("Expect: something"), 417),
    Row(OURS, get("Expect: 100-continue", "Expect: more"), 417),
    Row(OURS, post("x" * 65_537), 413, name="a body that is too large"),
]

# Requests that libmicrohttpd refuses before the server sees them, and requests that just fit.
LIMITS = (
    [
        Row(LIBRARY, get(f"Content-Length: {length}"))
        for length in ("x", "-1", "+1", "1, 1", "", "1x", "0x10", "1 1")
    ]
    + [
        Row(LIBRARY, get(f"Content-Length: {length}"), 413)
        for length in (2**63 - 1, 2**63, 2**64 - 1, 2**64, 99999999999999999999999)
    ]
    + [
        Row(LIBRARY, get_target("/livez?" + "&" * count), 414, name=f"{count} empty items in the query")
        for count in (257, 260, 1_000, 3_000, 8_000)
    ]
    + [
        Row(FITS, get_target("/livez?" + "&".join(f"a{item}=b" for item in range(128))), 200, "128 items in the query"),
        Row(FITS, get_target("/" + "x" * 8_191), 404, name="a target that just fits"),
        Row(LIBRARY, get_target("/" + "x" * 8_192), 414, name="a long path"),
        Row(LIBRARY, get_target("/?" + "x" * 12_000), 414, name="a long query"),
        Row(LIBRARY, get_target("/" + "x" * 20_000), 414, name="a target without an end"),
    ]
    + [
        Row(LIBRARY, get("Cookie: " + "a=b; " * count), 431, name=f"{count} cookies")
        for count in (1_000, 2_000)
    ]
    + [
        Row(FITS, get("Cookie: a=" + "b" * 16_000), 200, name="a cookie that fits"),
        Row(LIBRARY, get("Cookie: a=" + "b" * 24_000), 431, name="a long cookie"),
        Row(LIBRARY, get("A: " + "x" * 16_500), 431, name="a header that is too large"),
        Row(LIBRARY, get("A: " + "x" * 60_000), 431, name="a header without an end"),
        Row(LIBRARY, get(*["A:"] * 2_000, "B:"), 431, name="far too many fields"),
    ]
    + [
        Row(LIBRARY, head + "\r\n\r\n")
        for head in (
            "GET /livez HTTP/1.1\r\nno colon", "GET /livez HTTP/11", "GET /livez http/1.1", "GET /livez HTTP/1.x",
            "GET /livez", "GET", "hello",
        )  # fmt: skip
    ]
    + [
        Row(LIBRARY, request("GET", "/livez", version=version), 505, name=f"HTTP/{version}")
        for version in ("0.9", "2.0", "3.1")
    ]
)

# Requests between two limits: the result depends on how the library divides its buffer.
EDGES = (
    [("a field of", size, get("A: " + "x" * size)) for size in range(12_000, 50_000, 2_000)]
    + [("fields:", count, get(*["A:"] * count)) for count in range(100, 800, 50)]
    + [("cookies:", count, get("Cookie: " + "a=b; " * count)) for count in range(100, 800, 50)]
    + [("a cookie of", size, get("Cookie: a=" + "b" * size)) for size in range(12_000, 40_000, 2_000)]
    + [("a body after a field of", size, post("x" * 60_000, "A: " + "x" * size)) for size in range(9_000, 16_000, 500)]
)

UNUSUAL = [
    ("GET /livez HTTP/1.0\r\n\r\n", 200),
    # Correct, but not a name of this server.
    ("GET /livez HTTP/1.1\r\nHost:\r\n\r\n", 421),
    ("GET /livez HTTP/1.1\r\nHost: [::1]:80 \r\n\r\n", 200),
    ("GET http://localhost/livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("FOO /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET /livez HTTP/1.1\r\nhost:localhost\r\n\r\n", 200),
    (b"\r\n" + LIVEZ, 200),
    (get("A:b"), 200),
    (get("A: \t b\t "), 200),
    (get("A:"), 200),
    (get("A: b\tc"), 200),
    (get("A: \xfc\xff"), 200),
    (get("Content-Length: 0"), 200),
    (get("Cookie: a=b; c"), 200),
    (request("GET", "/livez", body="\n\r\0x"), 200),
    (get_target("/livez?a=b&c&=d&&+%20"), 200),
]


def status_lines(data):
    return re.findall(rb"HTTP/1\.[01] ([0-9]{3}) ", data)


class RefusalTests(ServerTests):
    def assert_is_ours(self, row, answer, rest):
        self.assertEqual((answer.status, answer.is_problem, answer.is_last), (row.status, True, True), answer)
        self.assertIsNotNone(answer.field("Date"))
        self.assertEqual(rest, b"")

    def assert_is_a_refusal(self, row, answer):
        """Checks the status of a refusal. The server's own has the right status, and the library's any error status."""
        if answer.field("Content-Type") == "application/problem+json":
            self.assertEqual((answer.status, answer.is_problem, answer.is_last), (row.status, True, True), answer)
        else:
            self.assertTrue(400 <= answer.status < 500 or answer.status == 505, answer)

    def check(self, row, pieces):
        with self.server.connect() as connection:
            for piece in pieces[:-1]:
                connection.send_what_is_read(piece)
                # The server has read the first piece by the time it answers another request.
                self.server.ask("GET", "/livez")
            # The server does not read what follows a refused request.
            follower = b"" if row.allowed in (LENIENT, FITS) else SMUGGLED
            connection.send_what_is_read(pieces[-1] + follower)
            try:
                answer = connection.answer()
            except Closed as closed:
                self.assertIn("after b''", str(closed), "half an answer")
                self.assertIn(row.allowed, (LIBRARY, LENIENT), "no answer")
                return
            if row.allowed == OURS:
                self.assert_is_ours(row, answer, connection.rest())
            elif row.allowed == FITS or row.allowed == LENIENT and answer.status == 200:
                self.assertEqual(answer.status, row.status if row.allowed == FITS else 200)
                if answer.is_last:
                    self.assertEqual(connection.rest(), b"")
                else:
                    self.assertEqual(connection.ask(LIVEZ).json(), {"status": "ok"})
            elif row.allowed == LENIENT:
                self.assertTrue(400 <= answer.status < 600, answer)
            else:
                self.assert_is_a_refusal(row, answer)
                # The library can send this twice, but no one answers what follows.
                self.assertNotIn(b"/problems/not-found", answer.body + connection.rest())

    def test_ambiguous_requests_are_refused(self):
        self.check_each(REFUSALS, lambda row: self.check(row, [row.data]))

    def test_ambiguous_requests_in_two_pieces_are_refused(self):
        rows = [row for row in REFUSALS if len(row.data) < 1_000]
        self.check_each(rows, lambda row: self.check(row, [row.data[: len(row.data) // 2], row.data[len(row.data) // 2 :]]))

    def test_large_and_malformed_requests_are_refused(self):
        def check(row):
            size = len(row.data)
            for end in (size, 1, 16, size // 2, size - 1):
                self.check(row, [piece for piece in (row.data[:end], row.data[end:]) if piece])

        self.check_each(LIMITS, check)

    def test_requests_between_the_limits_are_answered_or_refused(self):
        def check(row):
            *_, data = row
            with self.server.connect() as connection:
                connection.send_what_is_read(data)
                try:
                    self.assertIn(connection.answer().status, (200, 413, 415, 431))
                except Closed as closed:
                    self.assertIn("after b''", str(closed), "half an answer")

        self.check_each(EDGES, check)

    def test_unusual_correct_requests_are_answered(self):
        def check(row):
            data, status = row
            data = data if isinstance(data, bytes) else data.encode("latin-1")
            with self.server.connect() as connection:
                answer = connection.ask(data)
                self.assertEqual(answer.status, status)
                if not answer.is_last:
                    self.assertEqual(connection.ask(LIVEZ).json(), {"status": "ok"})

        self.check_each(UNUSUAL, check)

    def test_a_refused_request_is_read_completely(self):
        with self.server.connect() as connection:
            connection.send(b"POST /sessions HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nContent-Length: 10\r\n\r\n01234")
            self.assertTrue(self.server.is_well())
            connection.send_what_is_read(b"56789" + SMUGGLED)
            answer = connection.answer()
            self.assertEqual((answer.status, answer.is_problem), (400, True))
            self.assertEqual(connection.rest(), b"")

    def test_requests_before_a_refused_one_are_answered(self):
        with self.server.connect() as connection:
            connection.send_what_is_read(LIVEZ * 2 + get("Content-Length: x"))
            for _ in range(2):
                self.assertEqual(connection.answer().status, 200)
            self.assertEqual(connection.answer().status, 400)
            self.assertNotIn(b" 200 ", connection.rest())

    def test_others_are_not_affected(self):
        others = [self.server.connect() for _ in range(8)]
        for other in others:
            other.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Len")
        for data in (get("Content-Length: x"), get("Content-Length: 99999999999999999999"), get("A: " + "x" * 20_000)):
            with self.server.connect() as connection:
                connection.send_what_is_read(data)
                self.assertIn(connection.answer().status, (400, 413, 431))
        for other in others:
            other.send(b"gth: 0\r\n\r\n")
            self.assertEqual(other.answer().status, 200)

    def test_an_unfinished_request_does_not_keep_its_connection(self):
        def check(data):
            with self.server.connect(patience=60) as connection:
                connection.send(data)
                self.assertLessEqual(len(status_lines(connection.rest())), 1)

        whole = json_request("POST", "/sessions", {})
        self.check_each([b"G", whole[:20], whole[:-3], b"GET /livez HTTP/1.1\rHost: localhost\r\r"], check)

    def test_random_bytes_do_no_harm(self):
        generator = random.Random(1)

        def check(data):
            # The library can miss an end that arrives with the last bytes, until the connection was idle for long.
            with self.server.connect(patience=60) as connection:
                end = generator.randint(0, len(data))
                connection.send_what_is_read(data[:end])
                connection.send_what_is_read(data[end:])
                connection.finish_sending()
                try:
                    connection.head()
                except Closed as closed:
                    self.assertIn("after b''", str(closed), "half a head")

        self.check_each([mutated(generator) for _ in range(400)], check)


ALPHABET = [bytes([byte]) for byte in b"\r\n\0 \t:;,&?=%#/.*\"\\-+_0129AZaz\x7f\x80\xc3\xff"]
WORDS = [
    b"Content-Length: 4\r\n", b"Content-Length: x\r\n", b"Content-Length: 99999999999999999999\r\n", b"Host: b\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Cookie: a=b; c\r\n", b"Cookie: " + b"a;" * 3_000 + b"\r\n", b"\r\n", b"\n",
    b" HTTP/1.1\r\n", b"HTTP/1.0", b"HTTP/3.0", b"?", b"&a=b" * 1_000, b"x" * 9_000, b"A:\r\n" * 100, b"HEAD ",
    b"Connection: close\r\n", b"Expect: 100-continue\r\n", b"Prefer: wait=1\r\n", b"Accept: text/event-stream\r\n",
]  # fmt: skip


def mutated(generator):
    """Returns a request with a few bytes replaced."""
    data = generator.choice([
        request("GET", "/livez?c=d&e=f", "Cookie: a=b; c=d", "Accept: */*"), post("four", "Expect: none"), post(""),
        request("GET", "/route"), b"GET / HTTP/1.0\r\n\r\n",
    ])  # fmt: skip
    for _ in range(generator.randint(1, 3)):
        start = generator.randrange(len(data))
        if generator.random() < 0.5:
            new = generator.choice(WORDS)
        else:
            new = b"".join(generator.choices(ALPHABET, k=generator.randint(0, 2)))
        data = data[:start] + new + data[start + generator.randint(0, 2) :]
    return data
