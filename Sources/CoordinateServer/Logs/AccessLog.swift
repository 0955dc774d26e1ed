internal import CoordinateSessions
internal import MicroHTTPD

/// A record of each request, one JSON object a line. It identifies no session, no client's key and no data: paths are
/// the patterns of the API's description.
struct AccessLog: Sendable {
    let queue: LogQueue

    /// - Parameter pattern: The pattern of the path; nil for a request of no known kind.
    func note(_ exchange: HTTPExchange, pattern: String?) {
        // Whatever a client calls its method would be in the log.
        let method = if case .other? = exchange.method { "-" } else { exchange.method?.rawValue ?? "-" }
        queue.append(
            """
            {"time":"\(SessionClock.system.timestamp())","method":"\(method)","path":"\(pattern ?? "-")",\
            "status":\(Self.text(exchange.status)),"microseconds":\(exchange.nanoseconds / 1_000),\
            "bytes":\(Self.text(exchange.size)),"client":"\(exchange.peer)"}
            """)
    }

    private static func text(_ number: Int?) -> String {
        number.map(String.init) ?? "null"
    }
}
