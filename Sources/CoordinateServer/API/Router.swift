internal import CoordinateSessions
internal import MicroHTTPD

/// A table that finds the endpoints of a path in the bytes in which it was sent, without allocating anything.
struct Router: Sendable {
    /// A position in the patterns of paths, after some of their parts.
    private struct Node {
        var next: [(part: [UInt8], node: Int)] = []
        /// The position after a placeholder, which stands for any part.
        var nextOfAny: Int?
        /// The endpoints of the path that ends here, one for each method.
        var endpoints: [NumberedEndpoint] = []
    }

    /// The endpoints of a path.
    struct Match {
        /// One for each method; at least one.
        let endpoints: [NumberedEndpoint]
        /// The range in the path of the part that matches `{id}`; nil where the pattern has no such part.
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

    /// - Parameter path: The path as it was sent: an escaped letter does not match that letter.
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

/// An endpoint with its position among all endpoints.
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

/// A method on a path, and the function that answers it.
final class Endpoint: Sendable {
    /// Throws a `Problem`; any other error is an internal one.
    typealias Answer = @Sendable (_ api: API, _ request: borrowing HTTPRequest, _ id: SessionID?) throws -> HTTPAnswer

    let method: HTTPMethod
    /// The path as in the API's description: `/sessions/{id}/route`.
    let pattern: String
    /// The path's parts; ``placeholder`` stands for any.
    let parts: [String]
    /// True where the path contains the id of a session.
    let namesSession: Bool
    /// True where it answers while the server is draining, and without the API key.
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
