internal import MicroHTTPD

/// One method on one path, and what answers it.
final class Endpoint: Sendable {
    /// Throws a `Problem`; whatever else it throws is an internal error.
    typealias Answer = @Sendable (_ api: API, _ request: borrowing HTTPRequest, _ id: String?) throws -> HTTPAnswer

    let method: HTTPMethod
    /// As the API's description has it: `/sessions/{id}/route`.
    let pattern: String
    /// The whole path; nil where there is an `{id}` in it.
    let path: String?
    /// The path's parts; `{id}` stands for any.
    let parts: [String]
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
        self.path = parts.contains(Self.placeholder) ? nil : path
        self.isProbe = isProbe
        self.needsKey = needsKey && !isProbe
        self.answer = answer
    }

    /// Whether the parts of a path are this endpoint's.
    func matches(_ path: ArraySlice<Substring>) -> Bool {
        path.count == parts.count && zip(path, parts).allSatisfy { $1 == Self.placeholder || $0 == $1 }
    }

    /// What stands in the place of `{id}` in a path that matches.
    func id(in path: ArraySlice<Substring>) -> String? {
        guard self.path == nil else { return nil }
        return parts.firstIndex(of: Self.placeholder).map { String(path[path.startIndex + $0]) }
    }

    private static let placeholder = "{id}"
}
