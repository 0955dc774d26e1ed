internal import Synchronization

/// A client of one server, with its own cookies: two clients are two users.
///
/// ```swift
/// let client = SessionClient(url: "http://127.0.0.1:8080")
/// try await client.press("Log in", entering: ["user": "anna", "password": "open sesame"])
/// print(try await client.settle().path)
/// ```
///
/// The first request to `/route` or `/events` creates a session. Its cookie keeps the client in that session, as with
/// `curl -c jar -b jar`. The methods for requests return any answer, including refusals. Those that return documents
/// throw ``UnexpectedAnswer`` for a refusal. Every error is a ``ClientError`` that names the file and line of the call,
/// except the `CancellationError` of a cancelled task. The ``Limits`` bound the time of a request and the memory of an
/// answer.
public final class SessionClient: Sendable {
    /// The limits of a server's answers.
    public struct Limits: Equatable, Sendable {
        /// The longest time between a request and the end of its answer. For a stream, it ends with the beginning of
        /// the answer.
        public var requestTime = Duration.seconds(120)
        /// The most bytes of one answer, or of one message of a stream.
        public var answerSize = 64 * 1_024 * 1_024
        /// The most messages of a stream that are kept until they are read.
        public var unreadMessages = 1_000

        public init() {}
    }

    private struct Jar {
        var cookies: [String: String] = [:]
        /// The name of the cookie that keeps the client in its session. The server chooses it.
        var sessionCookie: String?
    }

    /// A function that gets the server's answer to a request.
    package typealias Transport = @Sendable (ClientRequest) async throws -> ServerAnswer
    /// A function that gets an answer whose body comes in pieces.
    package typealias StreamTransport = @Sendable (ClientRequest) async throws -> LocalStream

    /// The address of the server without a path.
    public let url: String
    private let headers: [String: String]
    let limits: Limits
    private let jar = Mutex(Jar())
    private let transport: Transport
    /// Opens streams without a socket; `nil` if requests go over sockets.
    private let streams: StreamTransport?

    /// Creates a client for the server at an address.
    ///
    /// - Parameters:
    ///   - url: The address of the server without a path: `http://127.0.0.1:8080`.
    ///   - headers: The headers to send with every request.
    public convenience init(url: String, headers: [String: String] = [:], limits: Limits = Limits()) {
        let connection = Connection(limits)
        self.init(url: url, headers: headers, limits: limits, streams: nil) { try await connection.answer(to: $0) }
    }

    /// Creates a client whose requests are answered by a function.
    package convenience init(
        url: String, headers: [String: String], answeredBy transport: @escaping Transport,
        streamedBy streams: @escaping StreamTransport
    ) {
        self.init(url: url, headers: headers, limits: Limits(), streams: streams, transport)
    }

    private init(
        url: String, headers: [String: String], limits: Limits, streams: StreamTransport?,
        _ transport: @escaping Transport
    ) {
        self.url = url
        self.headers = headers
        self.limits = limits
        self.streams = streams
        self.transport = transport
    }

    /// Returns the same client in another session.
    ///
    /// ```swift
    /// let answer = try await client.post("/sessions", json: ["path": "/cart"])
    /// let other = client.inSession(try answer.decode(Document.Session.self, status: 201).id)
    /// ```
    public func inSession(_ id: String) -> SessionClient {
        SessionClient(
            url: url, headers: headers.filter { $0.key.lowercased() != "session" }.merging(["Session": id]) { $1 },
            limits: limits, streams: streams, transport)
    }

    /// The id of this client's session; `nil` before the server has created one for it.
    public var sessionID: String? {
        headers.first { $0.key.lowercased() == "session" }?.value
            ?? jar.withLock { jar in jar.sessionCookie.flatMap { jar.cookies[$0] } }
    }

    /// The cookies that the server has set.
    public var cookies: [String: String] { jar.withLock(\.cookies) }

    // MARK: Requests

    /// Gets a path.
    ///
    /// ```swift
    /// let page = try await client.get("/events?after=3&limit=10")
    /// ```
    public func get(
        _ path: String, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await get(
            path, headers: headers, from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Posts a document.
    ///
    /// ```swift
    /// let answer = try await client.post("/events", json: ["event": "navigation.back"])
    /// #expect(answer.status == 200)
    /// ```
    public func post(
        _ path: String, json: JSON, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await send(
            json, "POST", path, headers: headers,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Puts a document.
    ///
    /// ```swift
    /// let answer = try await client.put("/route", json: ["path": "/main/teams"])
    /// ```
    public func put(
        _ path: String, json: JSON, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await send(
            json, "PUT", path, headers: headers,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Posts an empty body.
    ///
    /// ```swift
    /// let session = try await client.post("/sessions").decode(Document.Session.self)
    /// ```
    public func post(
        _ path: String, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await send(
            "POST", path, headers: headers, body: [],
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Deletes the resource at a path.
    ///
    /// ```swift
    /// #expect(try await client.delete("/sessions/\(id)").status == 204)
    /// ```
    public func delete(
        _ path: String, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await send(
            "DELETE", path, headers: headers,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Sends any request.
    ///
    /// ```swift
    /// let answer = try await client.request("PATCH", "/route", body: Array("{}".utf8))
    /// #expect(answer.header("Allow") == "GET, HEAD, PUT")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path with its query, as in a URL.
    ///   - headers: These replace the client's own headers and cookies.
    public func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> ServerAnswer {
        try await send(
            method, path, headers: headers, body: body,
            from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Follows this client's session: its route now and after every event. Creates a session if the client has none.
    ///
    /// ```swift
    /// let stream = try await client.follow()
    /// for await message in stream {
    ///     print(try message.route.path)
    /// }
    /// ```
    ///
    /// Returns once the answer has begun. The stream ends with the session or the server.
    ///
    /// - Parameters:
    ///   - version: The last version that the client has seen. The stream begins with the next one; `nil` begins with
    ///     the current one.
    ///   - headers: These replace the client's own headers and cookies.
    /// - Throws: ``UnexpectedAnswer`` if the session cannot be followed.
    public func follow(
        after version: Int? = nil, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> LiveStream {
        var own = ["Accept": "text/event-stream"]
        if let version { own["Last-Event-ID"] = "\(version)" }
        let request = ClientRequest(
            url: url, method: "GET", path: "/events", headers: lines(with: own.merging(headers) { $1 }), body: nil,
            callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        let stream =
            if let streams {
                try await streams(request).open(request, limits)
            } else {
                try await Connection.open(request, limits)
            }
        keepCookie(of: stream.answer)
        return stream
    }

    func get(
        _ path: String, headers: [String: String] = [:], from callSite: CallSite
    ) async throws -> ServerAnswer {
        try await send("GET", path, headers: headers, from: callSite)
    }

    func send(
        _ json: JSON, _ method: String, _ path: String, headers: [String: String] = [:], from callSite: CallSite
    ) async throws -> ServerAnswer {
        let type = ["Content-Type": "application/json"]
        return try await send(
            method, path, headers: type.merging(headers) { $1 }, body: json.encoded, from: callSite)
    }

    private func send(
        _ method: String, _ path: String, headers: [String: String], body: [UInt8]? = nil, from callSite: CallSite
    ) async throws -> ServerAnswer {
        let answer = try await transport(
            ClientRequest(
                url: url, method: method, path: path, headers: lines(with: headers), body: body, callSite: callSite))
        keepCookie(of: answer)
        return answer
    }

    /// All headers of a request: its own, this client's, and the cookies.
    private func lines(with headers: [String: String]) -> [String: String] {
        var fields = self.headers.merging(headers, uniquingKeysWith: { $1 })
        // Another session's cookie beside the header would name two sessions.
        let namesSession = fields.keys.contains { $0.lowercased() == "session" }
        let (kept, sessionCookie) = jar.withLock { ($0.cookies, $0.sessionCookie) }
        let cookies = kept.filter { $0.key != sessionCookie || !namesSession }.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value)"
        }.joined(separator: "; ")
        let hasOwnCookies = fields.keys.contains { $0.lowercased() == "cookie" }
        if !cookies.isEmpty, !hasOwnCookies { fields["Cookie"] = cookies }
        return fields
    }

    /// Keeps the name and value of a `Set-Cookie` header, which end at the first semicolon.
    private func keepCookie(of answer: ServerAnswer) {
        let cookie = answer.header("Set-Cookie")?.prefix { $0 != ";" }
        let pair = cookie?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) ?? []
        guard pair.count == 2 else { return }
        jar.withLock { jar in
            jar.cookies[pair[0]] = pair[1]
            if pair[1] == answer.header("Session") { jar.sessionCookie = pair[0] }
        }
    }
}
