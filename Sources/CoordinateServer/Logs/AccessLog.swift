internal import CoordinateSessions
internal import MicroHTTPD

/// A log of requests, one JSON object per line. It contains no session ids, keys or data. Paths are the patterns of the
/// API's description.
struct AccessLog: Sendable {
    let queue: LogQueue

    /// - Parameter pattern: The pattern of the path; `nil` for an unknown kind of request.
    func record(_ exchange: HTTPExchange, pattern: String?) {
        // Replaces an unknown method, so that clients cannot write text into the log.
        let method = exchange.method.flatMap { Self.methods.contains($0) ? $0.rawValue : nil } ?? "-"
        queue.append(
            """
            {"time":"\(SessionClock.system.timestamp())","method":"\(method)","path":"\(pattern ?? "-")",\
            "status":\(Self.text(exchange.status?.code)),"microseconds":\(exchange.nanoseconds / 1_000),\
            "bytes":\(Self.text(exchange.size)),"client":"\(exchange.client)"}
            """)
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    private static func text(_ number: Int?) -> String {
        number.map(String.init) ?? "null"
    }
}
