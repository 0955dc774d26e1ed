internal import CoordinateServer
internal import Foundation
internal import MicroHTTPD
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A client of one server, with cookies of its own: two of them are two users.
///
/// ```swift
/// let client = server.client()
/// let answer = try await client.get("/route")
/// #expect(answer.status == 200)
/// #expect(try answer.json["path"] == "/splash")
/// ```
///
/// The first request to `/route` or `/events` makes a session, and the cookie that comes with it keeps the client in
/// it, as `curl -c jar -b jar` does. The methods for requests return any answer, refusals too; those that return
/// documents throw ``UnexpectedAnswer`` instead.
public final class TestClient: Sendable {
    let url: String
    private let headers: [String: String]
    private let jar = Mutex<[String: String]>([:])
    private let session: URLSession
    /// The server that is called directly; nil where requests go over a socket.
    private let server: Server?

    /// Makes a client of a server that runs anywhere: in another process, say.
    ///
    /// - Parameters:
    ///   - url: The address of the server without a path: `http://127.0.0.1:8080`.
    ///   - headers: The headers that are sent with every request.
    public convenience init(url: String, headers: [String: String] = [:]) {
        self.init(url: url, headers: headers, inMemory: nil)
    }

    init(url: String, headers: [String: String], inMemory server: Server?) {
        self.url = url
        self.headers = headers
        self.server = server
        session = URLSession(configuration: .withoutCookies)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// The same client, in another session.
    func inSession(_ id: String) -> TestClient {
        let client = TestClient(
            url: url, headers: headers.filter { $0.key.lowercased() != "session" }, inMemory: server)
        client.jar.withLock { $0["session"] = id }
        return client
    }

    /// The id of this client's session; nil before the server has made one for it.
    public var sessionID: String? { headers.first { $0.key.lowercased() == "session" }?.value ?? cookies["session"] }

    /// The cookies that the server has set.
    public var cookies: [String: String] { jar.withLock { $0 } }

    // MARK: Requests

    /// Gets a path.
    ///
    /// ```swift
    /// let page = try await client.get("/events?after=3&limit=10")
    /// ```
    public func get(_ path: String, headers: [String: String] = [:]) async throws -> TestAnswer {
        try await request("GET", path, headers: headers)
    }

    /// Posts a document.
    ///
    /// ```swift
    /// let answer = try await client.post("/events", json: ["event": "navigation.back"])
    /// #expect(answer.status == 200)
    /// ```
    public func post(_ path: String, json: JSON, headers: [String: String] = [:]) async throws -> TestAnswer {
        try await send(json, "POST", path, headers: headers)
    }

    /// Puts a document.
    ///
    /// ```swift
    /// let answer = try await client.put("/route", json: ["path": "/main/teams"])
    /// ```
    public func put(_ path: String, json: JSON, headers: [String: String] = [:]) async throws -> TestAnswer {
        try await send(json, "PUT", path, headers: headers)
    }

    private func send(
        _ json: JSON, _ method: String, _ path: String, headers: [String: String]
    ) async throws -> TestAnswer {
        let type = ["Content-Type": "application/json"]
        return try await request(method, path, headers: type.merging(headers) { $1 }, body: json.encoded)
    }

    /// Posts an empty body.
    ///
    /// ```swift
    /// let session = try await client.post("/sessions").decode(Document.Session.self)
    /// ```
    public func post(_ path: String, headers: [String: String] = [:]) async throws -> TestAnswer {
        try await request("POST", path, headers: headers, body: [])
    }

    /// Deletes the resource at a path.
    ///
    /// ```swift
    /// #expect(try await client.delete("/sessions/\(id)").status == 204)
    /// ```
    public func delete(_ path: String, headers: [String: String] = [:]) async throws -> TestAnswer {
        try await request("DELETE", path, headers: headers)
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
    ///   - headers: Replace those of the client, and its cookies.
    public func request(
        _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) async throws -> TestAnswer {
        let answer = try await send(method, path, lines(with: headers), body)
        if let cookie = answer.header("Set-Cookie") { keep(cookie) }
        return answer
    }

    /// Follows this client's session, its route now and after every event; where it has none, a new one is made.
    ///
    /// ```swift
    /// let stream = try await client.follow()
    /// for await message in stream {
    ///     print(try message.route.path)
    /// }
    /// ```
    ///
    /// It returns once the answer has begun. The stream ends with the session, or with the server.
    ///
    /// - Parameters:
    ///   - version: The last version that was seen: the stream begins with the one after it. Nil begins with the
    ///     current one.
    ///   - headers: Replace those of the client, and its cookies.
    /// - Throws: ``UnexpectedAnswer`` where the session cannot be followed.
    public func follow(after version: Int? = nil, headers: [String: String] = [:]) async throws -> LiveStream {
        var own = ["Accept": "text/event-stream"]
        if let version { own["Last-Event-ID"] = "\(version)" }
        var request = try makeRequest("GET", "/events", lines(with: own.merging(headers) { $1 }), nil)
        // The server is never silent for that long.
        request.timeoutInterval = 60
        let stream = try await LiveStreamReader.open(request)
        if let cookie = stream.answer.header("Set-Cookie") { keep(cookie) }
        return stream
    }

    private func send(
        _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?
    ) async throws -> TestAnswer {
        if let server { return try await server.answer(method, path, headers, body) }
        let request = try makeRequest(method, path, headers, body)
        let (content, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return TestAnswer(response, body: Array(content))
    }

    private func makeRequest(
        _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?
    ) throws -> URLRequest {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        // Long imports are replayed while nothing else has work for the processors, such as the tests beside this one.
        request.timeoutInterval = 600
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// All headers of a request: its own, this client's, and the cookies.
    private func lines(with headers: [String: String]) -> [String: String] {
        var fields = self.headers.merging(headers, uniquingKeysWith: { $1 })
        // Another session's cookie beside the header would name two.
        let namesSession = fields.keys.contains { $0.lowercased() == "session" }
        let cookies = cookies.filter { $0.key != "session" || !namesSession }.sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value)"
        }.joined(separator: "; ")
        let hasOwnCookies = fields.keys.contains { $0.lowercased() == "cookie" }
        if !cookies.isEmpty, !hasOwnCookies { fields["Cookie"] = cookies }
        return fields
    }

    /// Keeps the name and value of a `Set-Cookie` header, which end at its first semicolon.
    private func keep(_ cookie: String) {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        jar.withLock { $0[String(pair[0])] = String(pair[1]) }
    }
}

extension Server {
    /// Answers a client in the same process.
    fileprivate func answer(
        _ method: String, _ path: String, _ headers: [String: String], _ body: [UInt8]?
    ) async throws -> TestAnswer {
        var fields: HTTPFields = headers.keys.contains { $0.lowercased() == "host" } ? [:] : [.host: "localhost"]
        for (name, value) in headers {
            guard let name = HTTPField.Name(rawValue: name), let value = HTTPField.Value(rawValue: value) else {
                throw URLError(.badURL)
            }
            fields.append(name, value)
        }
        let response: HTTPResponse?
        do throws(HTTPRefusal) {
            let request = try HTTPRequest(HTTPMethod(rawValue: method), path, headers: fields, body: body ?? [])
            response = await self.response(to: request)
        } catch {
            response = self.response(to: error)
        }
        guard let response else { throw URLError(.networkConnectionLost) }
        return TestAnswer(response, toHead: method == "HEAD")
    }
}
