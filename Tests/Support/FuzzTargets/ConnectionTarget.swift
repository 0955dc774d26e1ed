internal import MicroHTTPD
internal import RawClient
internal import Synchronization

extension FuzzTarget {
    /// On a connection whose lines end in CR LF, the server sees only the requests that a strict reader sees, with the
    /// same headers and bodies, and answers every request without a fault. libmicrohttpd decides where other lines end;
    /// the response to them is still HTTP.
    package static let connections = FuzzTarget("connections") { input in
        let seen = try server.requests(in: input)
        guard input.hasClearLines else { return }
        let sent = SentRequest.all(in: input)
        try require(seen.count <= sent.count, "\(seen.count) requests are seen, but \(sent.count) were sent")
        for (seen, sent) in zip(seen, sent) { try seen.check(against: sent) }
        try require(sent.first?.isPlain != true || !seen.isEmpty, "a plain request got no response")
    }

    private static let server = RecordingServer()
}

/// A server that records the requests of its handler.
private final class RecordingServer: HTTPHandler {
    private let seen = Mutex<[SeenRequest]>([])
    private let server = Mutex<HTTPServer?>(nil)

    func requests(in input: [UInt8]) throws -> [SeenRequest] {
        let client = try RawClient(url: "http://127.0.0.1:\(try port())")
        seen.withLock { $0 = [] }
        try client.send(input)
        let answers = try client.finish()
        try require(answers.isEmpty || answers.starts(with: "HTTP/1.".utf8), "the response is not HTTP")
        return seen.withLock { $0 }
    }

    private func port() throws -> UInt16 {
        try server.withLock { server in
            if let server { return server.port }
            let new = HTTPServer(
                configuration: HTTPServerConfiguration(port: 0, workers: 1, idleTimeout: .seconds(1)), handler: self)
            try new.start()
            server = new
            return new.port
        }
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        let request = SeenRequest(request)
        seen.withLock { $0.append(request) }
        return .now(HTTPResponse(status: 200, body: "seen"))
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(status: refusal.status, body: refusal.detail)
    }
}

/// A request as a handler sees it.
private struct SeenRequest {
    private static let names: [HTTPField.Name] = ["Host", "A", "X-Y", "Cookie", "Content-Type", "Session"].map {
        HTTPField.Name($0)!
    }

    private let method: String
    private let target: String
    private let values: [[String]]
    private let body: [UInt8]

    init(_ request: borrowing HTTPRequest) {
        method = request.method.rawValue
        target = request.path + (request.query.map { "?\($0)" } ?? "")
        var values: [[String]] = []
        for name in Self.names { values.append(request.headers(named: name)) }
        self.values = values
        body = request.body
    }

    func check(against sent: SentRequest) throws {
        try requireSame(method, sent.method, "the method")
        // If the target is a whole address, its path is seen.
        if sent.target.first == UInt8(ascii: "/") {
            try requireSame(target, String(decoding: sent.target, as: UTF8.self), "the target")
        }
        for (name, values) in zip(Self.names, values) {
            let wanted = sent.values(of: name.canonicalName).map { String(decoding: $0, as: UTF8.self) }
            try require(
                values.elementsEqual(wanted) { $0.utf8.elementsEqual($1.utf8) },
                "the header \(name) is \(values) instead of \(wanted)")
        }
        try require(body == sent.body, "the body is \(body) instead of \(sent.body)")
    }
}

extension [UInt8] {
    /// Whether each LF follows a CR, no line begins with white space or a colon, and there is no NUL.
    fileprivate var hasClearLines: Bool {
        indices.allSatisfy { index in
            switch self[index] {
            case 0: false
            case 0x0A: index > 0 && self[index - 1] == 0x0D
            case 0x20, 0x09, UInt8(ascii: ":"): index == 0 || self[index - 1] != 0x0A
            default: true
            }
        }
    }
}
