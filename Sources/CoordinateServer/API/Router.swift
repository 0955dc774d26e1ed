internal import CoordinateSessions
internal import MicroHTTPD

/// Finds the endpoints of a path, in the bytes in which it was sent: nothing is allocated for that.
struct Router: Sendable {
    /// A position in the patterns of paths, after some of their parts.
    private struct Node {
        var next: [(part: [UInt8], node: Int)] = []
        /// The position after a part that may be anything.
        var nextOfAny: Int?
        /// One for each method that the path ending here has.
        var endpoints: [NumberedEndpoint] = []
    }

    /// The endpoints of a path.
    struct Match {
        /// One for each method; at least one.
        let endpoints: [NumberedEndpoint]
        /// Where the part is that stands in the place of `{id}`; nil where there is no such place.
        let id: Range<Int>?
    }

    private var nodes = [Node()]

    init(_ endpoints: [Endpoint]) {
        for (number, endpoint) in endpoints.enumerated() {
            let node = endpoint.parts.reduce(0) { node, part in
                let known =
                    part == Endpoint.placeholder
                    ? nodes[node].nextOfAny : nodes[node].next.first { $0.part == Array(part.utf8) }?.node
                if let known { return known }
                nodes.append(Node())
                if part == Endpoint.placeholder {
                    nodes[node].nextOfAny = nodes.count - 1
                } else {
                    nodes[node].next.append((Array(part.utf8), nodes.count - 1))
                }
                return nodes.count - 1
            }
            nodes[node].endpoints.append(NumberedEndpoint(endpoint: endpoint, number: number))
            precondition(
                nodes.allSatisfy { $0.next.isEmpty || $0.nextOfAny == nil },
                "After \(endpoint.pattern), what follows could be read in two ways")
        }
    }

    /// - Parameter path: As it was sent: an escaped letter is not that letter.
    func match(_ path: Span<UInt8>) -> Match? {
        var node = 0
        var id: Range<Int>?
        var start = 0
        while start < path.count, path[start] == UInt8(ascii: "/") {
            var end = start + 1
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            let part = start + 1..<end
            if let next = nodes[node].next.first(where: { path.extracting(part).isEqual(to: $0.part.span) }) {
                node = next.node
            } else if let next = nodes[node].nextOfAny {
                node = next
                id = part
            } else {
                return nil
            }
            start = end
        }
        let endpoints = nodes[node].endpoints
        return start == path.count && !endpoints.isEmpty ? Match(endpoints: endpoints, id: id) : nil
    }
}

/// An endpoint with its position among all.
struct NumberedEndpoint {
    let endpoint: Endpoint
    let number: Int
}

extension Span<UInt8> {
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}

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
