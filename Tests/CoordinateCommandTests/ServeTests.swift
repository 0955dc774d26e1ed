import CoordinateTesting
import Foundation
import Glibc
import RawClient
import SessionFixtures
import Testing

/// `coordinate-server serve` as a process: its output, and its end.
///
/// The tests run one at a time, so that they do not start a hundred processes at once.
@Suite(.serialized) struct ServeTests {
    /// Sent by a blocking client, because a stopping server does not wait until other tests let this one continue.
    private static let readiness = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalEndsTheServerAlsoForFollowingAndWaitingClients(signal: Int32) async throws {
        try await Program.run(["serve", "--port", "0"]) { program in
            let url = try await program.url()
            #expect(url.hasPrefix("http://127.0.0.1:"))
            let page = try await SessionClient(url: url).get("/")
            #expect(page.status == 200)
            let follower = try RawClient(url: url)
            try follower.send("GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
            let head = try follower.receive(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            #expect(try follower.receive(until: "}\n\n").contains("id: 0\nevent: route\ndata: {"))
            let id = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("Session: ") })
            let route = try RawClient.answer(of: url, to: "GET /route HTTP/1.1\r\nHost: localhost\r\n\(id)\r\n\r\n")
            #expect(route.status == 200)
            #expect(route.body.contains("\"path\":\"/splash\""))
            let tag = route.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }
            let waiter = try RawClient(url: url)
            try waiter.send(
                "GET /route HTTP/1.1\r\nHost: localhost\r\n\(id)\r\nPrefer: wait=60\r\n"
                    + "If-None-Match: \(try #require(tag).dropFirst("ETag: ".count))\r\n\r\n")
            program.kill(signal)
            #expect(await program.status() == 0)
            // The end of the chunks shows that nothing was cut off.
            #expect(try follower.receive(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
            #expect(await program.remainingOutput() == "", "nothing but the first line is on the standard output")
        }
    }

    @Test func theEventLogOnTheStandardOutputIsCompleteAtTheEnd() async throws {
        try await Program.run(["serve", "--port", "0", "--event-log", "-"]) { program in
            let url = try await program.url()
            let body = #"{"event": "splash.didFinish"}"#
            let request =
                "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            for _ in 0..<20 { #expect(try RawClient.answer(of: url, to: request).status == 200) }
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            let lines = await program.remainingOutput().split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("{\"time\":") && $0.contains("\"event\":\"splash.didFinish\"") } == 20)
        }
    }

    @Test func aRequestInProgressIsAnsweredBeforeTheEnd() async throws {
        try await Program.run(["serve", "--port", "0"], environment: ["COORDINATE_WORKERS": "4"]) { program in
            let url = try await program.url()
            let client = try RawClient(url: url)
            try client.send(
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            program.kill(SIGTERM)
            var status = 200
            while status == 200 { status = try RawClient.answer(of: url, to: Self.readiness).status }
            try client.send("x")
            #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(await program.status() == 0)
        }
    }

    // MARK: Status 69

    @Test func aPortInUseIsUnavailable() async throws {
        try await Program.run(["serve", "--port", "0"]) { program in
            let port = try #require(try await program.url().split(separator: ":").last)
            let outcome = try await Program.outcome(of: ["serve", "--port", String(port)])
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("\(port)"))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    // MARK: Status 78

    static let files = [
        (#"{"port": 0"#, "is not a JSON object"),
        (#"[]"#, "is not a JSON object"),
        (#"{"port": 0, "host": "localhost", "port": 1}"#, "no key twice at line 1, column 34"),
        (#"{"port": 0, "security": {"hosts": [], "hosts": []}}"#, "no key twice"),
        (#"{"port": 0, "prot": 1}"#, #"Did you mean "port"?"#),
        (#"{"port": 0, "security": {"key": "x"}}"#, #""security.key""#),
        (#"{"port": "many"}"#, #""port""#),
        (#"{"port": 0, "security": {"apiKey": false}}"#, #""security.apiKey""#),
        (#"{"port": 0, "security": {"apiKey": "a\nb"}}"#, "security.apiKey"),
        (#"{"port": 0, "security": {"hosts": "localhost"}}"#, #""security.hosts""#),
        (#"{"port": 0, "security": {"hosts": ["http://coordinate.example"]}}"#, "http://coordinate.example"),
        (#"{"port": 0, "security": {"origins": ["https://shop.example/shop"]}}"#, "https://shop.example/shop"),
        (#"{"port": 0, "security": {"trustedProxies": ["proxy"]}}"#, "proxy"),
        (#"{"port": 0, "public": "server.json"}"#, "server.json"),
        (#"{"port": 70000}"#, "65535"),
        (#"{"port": 0, "sessionIdle": 0}"#, #""sessionIdle""#),
        (#"{"port": 0, "maxSessions": 1.5}"#, #""maxSessions""#),
        (#"{"port": 0, "maxMemory": 1000000}"#, #""maxMemory" must be 0, or a whole number from 16777216"#),
        (#"{"port": 0, "journal": "papyrus"}"#, "papyrus"),
        (#"{"port": 0, "public": "nowhere"}"#, "nowhere"),
    ]

    @Test(arguments: files)
    func anInvalidFileIsRefused(content: String, reason: String) async throws {
        try await withFolder(["server.json": content]) { folder in
            let outcome = try await Program.outcome(
                of: ["serve", "--config", folder.appending(path: "server.json").path])
            #expect(outcome.status == 78)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "one message: \(outcome.errors)")
        }
    }

    @Test func aWrongValueIsRefusedEvenIfAnOptionOverridesIt() async throws {
        try await withFolder(["server.json": #"{"port": "many"}"#]) { folder in
            let outcome = try await Program.outcome(
                of: ["serve", "--config", folder.appending(path: "server.json").path, "--port", "0"])
            #expect(outcome.status == 78)
        }
    }

    @Test func anAddressSpaceWithoutRoomForThreadsIsRefused() async throws {
        let server = try Program.executable("coordinate-server").path
        let outcome = try await Program.wholeOutcome(
            of: ["-c", #"ulimit -v 204800; exec "$0" serve --port 0"#, server], of: "/bin/sh")
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("ulimit -v"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("COORDINATE_PORT", "many"), ("COORDINATE_PORT", "65536"), ("COORDINATE_SESSION_IDLE", "soon"),
        ("COORDINATE_SESSION_IDLE", "0"), ("COORDINATE_MAX_SESSIONS", "-1"), ("COORDINATE_MAX_BODY", "1k"),
        ("COORDINATE_WORKERS", "x"), ("COORDINATE_MAX_CONNECTIONS", "0"), ("COORDINATE_JOURNAL", "papyrus"),
        ("COORDINATE_PUBLIC", "nowhere"), ("COORDINATE_APP_DATA", "nowhere.json"),
        ("COORDINATE_HOST", "not an address"), ("COORDINATE_API_KEY", "a\nb"), ("COORDINATE_HOSTS", "http://a.example"),
        ("COORDINATE_ORIGINS", "https://a.example,https://b.example/"),
        ("COORDINATE_TRUSTED_PROXIES", "10.0.0.0/8, proxy"),
    ])
    func anInvalidVariableIsRefused(name: String, value: String) async throws {
        let outcome = try await Program.outcome(
            of: ["serve"], environment: ["COORDINATE_PORT": "0"].merging([name: value]) { $1 })
        #expect(outcome.status == 78)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(name) || outcome.errors.contains(value), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "one message: \(outcome.errors)")
    }

    static let seasons = [
        (#"{"profile": {"name": "A"}, "teams": [{"id": "t", "name": "T", "drivers": ["x"]}], "drivers": []}"#, "\"x\""),
        (
            #"""
            {"profile": {"name": "A"}, "teams": [{"id": "t", "name": "T", "drivers": ["d"]},
             {"id": "t", "name": "T", "drivers": []}], "drivers": [{"id": "d", "name": "D"}]}
            """#, "twice"
        ),
        (
            #"{"profile": {"name": "A"}, "teams": [{"id": 7, "name": "T", "drivers": []}], "drivers": []}"#,
            "teams[0].id"
        ),
        (#"{"profile": {"name": "A"}, "teams": [{"id": "t", "drivers": []}], "drivers": []}"#, "\"name\""),
        (#"{"teams": [], "drivers": []}"#, "\"profile\""),
        (season(color: #""red""#), "the color \"red\" of the team \"t\""),
        (season(numbers: (0, 2)), "not between 1 and 99"),
        (season(numbers: (16, 16)), "number occurs twice"),
        (season(races: #"{"name": "R", "finishers": ["d", "x"]}"#), "unknown driver \"x\""),
        (season(races: #"{"name": "R", "finishers": ["d", "d"]}"#), "twice"),
        (season(races: #"{"name": "R", "finishers": []}, {"name": "R", "finishers": ["d"]}"#), "twice"),
        (#"{"profile": "#, "is not valid"),
    ]

    private static func season(color: String = "null", numbers: (Int, Int) = (1, 2)) -> String {
        #"""
        {"profile": {"name": "A"}, "teams": [{"id": "t", "name": "T", "color": \#(color), "drivers": ["d", "e"]}],
         "drivers": [{"id": "d", "name": "D", "number": \#(numbers.0)}, {"id": "e", "name": "E", "number": \#(numbers.1)}]}
        """#
    }

    private static func season(races: String) -> String {
        #"""
        {"profile": {"name": "A"}, "teams": [{"id": "t", "name": "T", "drivers": ["d"]}],
         "drivers": [{"id": "d", "name": "D"}], "races": [\#(races)]}
        """#
    }

    @Test(arguments: seasons)
    func invalidAppDataIsRefused(content: String, reason: String) async throws {
        try await withFolder(["racing.json": content]) { folder in
            let outcome = try await Program.outcome(
                of: ["serve", "--port", "0", "--app-data", folder.appending(path: "racing.json").path])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(outcome.errors.contains("racing.json"))
            #expect(outcome.errors.split(separator: "\n").count == 1, "one message: \(outcome.errors)")
        }
    }

    @Test func theShippedFileListsEverySetting() async throws {
        try await withFolder(["server.json": #"{"x": 1}"#]) { folder in
            let outcome = try await Program.outcome(
                of: ["serve", "--config", folder.appending(path: "server.json").path])
            let shipped = try JSONSerialization.jsonObject(
                with: Data(contentsOf: Program.shipped.appending(path: "config/server.json")))
            let keys = try #require(shipped as? [String: Any]).flatMap { key, value in
                (value as? [String: Any])?.keys.map { "\(key).\($0)" } ?? [key]
            }
            #expect(outcome.errors.contains("Known keys: \(keys.sorted().joined(separator: ", "))."))
        }
    }

    // MARK: Precedence

    /// Uses a place that no other session has.
    private func useSession(of url: String, key: String) async throws {
        try await client(of: url, key: key).emit("splash.didFinish")
    }

    private func client(of url: String, key: String) -> SessionClient {
        SessionClient(url: url, headers: ["Authorization": "Bearer \(key)"])
    }

    /// The status for a new client.
    private func status(of url: String, key: String) async throws -> Int {
        let headers = key.isEmpty ? [:] : ["Authorization": "Bearer \(key)"]
        return try await SessionClient(url: url, headers: headers).get("/route").status
    }

    @Test func optionsOverrideVariablesAndVariablesOverrideTheFile() async throws {
        let file = #"{"host": "127.0.0.2", "port": 0, "security": {"apiKey": "from-the-file"}, "maxSessions": 1}"#
        try await withFolder(["server.json": file]) { folder in
            let config = ["--config", folder.appending(path: "server.json").path]

            try await Program.run(["serve"] + config) { program in
                let url = try await program.url()
                #expect(url.hasPrefix("http://127.0.0.2:"))
                try await useSession(of: url, key: "from-the-file")
                #expect(try await client(of: url, key: "from-the-file").get("/route").status == 429)
                #expect(try await SessionClient(url: url).get("/route").status == 401)
            }

            let variables = [
                "COORDINATE_HOST": "127.0.0.3", "COORDINATE_API_KEY": "from-the-environment",
                "COORDINATE_MAX_SESSIONS": "2",
            ]
            let misspelled = ["COORDINATE_BIN": "", "COORDINATE_MAX_SESION": "2"].merging(variables) { $1 }
            try await Program.run(["serve"] + config, environment: misspelled) { program in
                let url = try await program.url()
                let words =
                    "COORDINATE_MAX_SESION is no setting and has no effect. Did you mean COORDINATE_MAX_SESSIONS?"
                let stranger = await program.errorLine()
                #expect(stranger?.contains("COORDINATE_BIN is no setting and has no effect. ") == true)
                #expect(stranger?.contains("Did you mean") == false)
                #expect(await program.errorLine()?.contains(words) == true)
                #expect(url.hasPrefix("http://127.0.0.3:"))
                for _ in 0..<2 { try await useSession(of: url, key: "from-the-environment") }
                #expect(try await client(of: url, key: "from-the-environment").get("/route").status == 429)
                #expect(try await client(of: url, key: "from-the-file").get("/route").status == 401)
            }

            // An option overrides even a wrong variable.
            let wrong = ["COORDINATE_PORT": "many", "COORDINATE_HOST": "not an address"]
            try await Program.run(
                ["serve", "--port", "0", "--host", "127.0.0.4"] + config, environment: variables.merging(wrong) { $1 }
            ) { program in
                let url = try await program.url()
                #expect(url.hasPrefix("http://127.0.0.4:"))
            }
        }
    }

    @Test func aListHasCommasInAVariableAndIsAnArrayInAFile() async throws {
        func statuses(_ program: Program) async throws -> [Int] {
            let url = try await program.url()
            return try ["a.example", "b.example", "c.example"].map { host in
                try RawClient.answer(of: url, to: "GET /livez HTTP/1.1\r\nHost: \(host)\r\n\r\n").status
            }
        }
        let file = #"{"port": 0, "security": {"hosts": ["b.example", "c.example"]}}"#
        try await withFolder(["server.json": file]) { folder in
            let arguments = ["serve", "--config", folder.appending(path: "server.json").path]
            try await Program.run(arguments) { program async throws in
                #expect(try await statuses(program) == [421, 200, 200])
            }
            let hosts = ["COORDINATE_HOSTS": "a.example, b.example,"]
            try await Program.run(arguments, environment: hosts) { program async throws in
                #expect(try await statuses(program) == [200, 200, 421])
            }
        }
    }
}
