internal import CoordinateSessions
internal import MicroHTTPD

/// One method on one path, and what answers it.
final class Endpoint: Sendable {
    /// Throws a `Problem`; whatever else it throws is an internal error.
    typealias Answer = @Sendable (_ api: API, _ request: borrowing HTTPRequest, _ id: SessionID?) throws -> HTTPAnswer

    let method: HTTPMethod
    /// As the API's description has it: `/sessions/{id}/route`.
    let pattern: String
    /// The path's parts; ``placeholder`` stands for any.
    let parts: [String]
    /// True where the path has the id of a session in it.
    let namesSession: Bool
    /// Whether it answers while the server is draining, and to anybody.
    let isProbe: Bool
    let needsKey: Bool
    let answer: Answer

    init(
        _ method: HTTPMethod, _ path: String, isProbe: Bool = false, needsKey: Bool = true, _ answer: @escaping Answer
    ) {
        self.method = method
        pattern = path
        self.parts = path.split(separator: "/").map(String.init)
        namesSession = parts.contains(Self.placeholder)
        self.isProbe = isProbe
        self.needsKey = needsKey && !isProbe
        self.answer = answer
    }

    static let placeholder = "{id}"
}
