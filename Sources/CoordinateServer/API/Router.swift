internal import CoordinateSessions
package import MicroHTTPD

/// A table that finds the endpoints of a path from its bytes, without allocating memory.
struct Router: Sendable {
    /// A position in the path patterns, after some of their parts.
    private struct Node {
        var next: [(part: [UInt8], node: Int)] = []
        /// The position after a placeholder, which stands for any other part.
        var nextOfAny: Int?
        /// The position after a placeholder for all further parts.
        var nextOfRemainder: Int?
        /// The numbers of the endpoints of the path that ends here, one per method.
        var numbers: [Int] = []
    }

    /// A path that has endpoints.
    struct Match {
        fileprivate let node: Int
        /// The range in the path of the part that matches a placeholder; `nil` if the pattern has none.
        let value: Range<Int>?
    }

    /// All endpoints. The number of an endpoint is its position among them.
    let endpoints: [Endpoint]
    private var nodes = [Node()]

    init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
        for (number, endpoint) in endpoints.enumerated() {
            let node = endpoint.parts.reduce(0) { node, part in
                let known =
                    switch part {
                    case Endpoint.remainder: nodes[node].nextOfRemainder
                    case _ where Endpoint.isPlaceholder(part): nodes[node].nextOfAny
                    default: nodes[node].next.first { $0.part == Array(part.utf8) }?.node
                    }
                if let known { return known }
                nodes.append(Node())
                switch part {
                case Endpoint.remainder: nodes[node].nextOfRemainder = nodes.count - 1
                case _ where Endpoint.isPlaceholder(part): nodes[node].nextOfAny = nodes.count - 1
                default: nodes[node].next.append((Array(part.utf8), nodes.count - 1))
                }
                return nodes.count - 1
            }
            nodes[node].numbers.append(number)
        }
    }

    /// - Parameter path: The path as it was sent. An escaped letter does not match the letter itself.
    func match(_ path: Span<UInt8>) -> Match? {
        var node = 0
        var value: Range<Int>?
        var remainder: Int?
        var position = 0
        while position < path.count, path[position] == UInt8(ascii: "/") {
            remainder = nodes[node].nextOfRemainder ?? remainder
            position += 1
            if let next = nodes[node].next.first(where: { path.hasPart($0.part.span, at: position) }) {
                node = next.node
                position += next.part.count
            } else if let next = nodes[node].nextOfAny {
                let start = position
                while position < path.count, path[position] != UInt8(ascii: "/") { position += 1 }
                node = next
                value = start..<position
            } else {
                return remainder.map { Match(node: $0, value: nil) }
            }
        }
        if position == path.count, !nodes[node].numbers.isEmpty { return Match(node: node, value: value) }
        return remainder.map { Match(node: $0, value: nil) }
    }

    /// The endpoints of a path, one per method.
    func endpoints(of match: Match) -> [Endpoint] { nodes[match.node].numbers.map { endpoints[$0] } }

    /// The number of a path's endpoint for a method; `nil` if there is none.
    func number(of match: Match, for method: HTTPRequest.Method) -> Int? {
        // By index, because a loop over the array itself would retain it.
        for index in nodes[match.node].numbers.indices {
            let number = nodes[match.node].numbers[index]
            if endpoints[number].method == method { return number }
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether whole parts of a path begin at a position: the path ends with them, or `/` follows.
    func hasPart(_ part: Span<UInt8>, at start: Int) -> Bool {
        let end = start + part.count
        guard end == count || end < count && self[end] == UInt8(ascii: "/") else { return false }
        for index in part.indices where self[start + index] != part[index] { return false }
        return true
    }
}

/// A method on a path, and the function that answers it.
package final class Endpoint: Sendable {
    /// Throws a `Problem`; any other error is an internal one.
    package typealias Answer =
        @Sendable (_ api: API, _ request: borrowing HTTPRequest, _ passage: Passage) throws -> HTTPAnswer
    package typealias Right = @Sendable (_ request: borrowing HTTPRequest) -> Rights

    let method: HTTPRequest.Method
    /// The path as in the API's description: `/sessions/{id}/route`.
    let pattern: String
    /// The path's parts; one in braces matches any part, and ``remainder`` all further parts.
    let parts: [String]
    /// Whether the path contains the id of a session.
    let namesSession: Bool
    /// The right that a request needs; empty if it needs none.
    let right: Right
    /// Whether it answers while the server is draining.
    let isProbe: Bool
    /// Whether it shows the app to people, as a web page.
    let isPage: Bool
    let answer: Answer

    package convenience init(
        _ method: HTTPRequest.Method, _ path: String, _ right: Rights, isProbe: Bool = false, isPage: Bool = false,
        _ answer: @escaping Answer
    ) {
        self.init(method, path, { _ in right }, isProbe: isProbe, isPage: isPage, answer)
    }

    /// - Parameter right: Returns the right that a request needs, if it depends on what the request asks for.
    package init(
        _ method: HTTPRequest.Method, _ path: String, _ right: @escaping Right, isProbe: Bool = false,
        isPage: Bool = false, _ answer: @escaping Answer
    ) {
        self.method = method
        pattern = path
        self.parts = path.split(separator: "/").map(String.init)
        namesSession = parts.contains(Self.session)
        self.right = right
        self.isProbe = isProbe
        self.isPage = isPage
        self.answer = answer
    }

    /// The placeholder for the id of a session.
    static let session = "{id}"
    static let remainder = "{path}"

    static func isPlaceholder(_ part: String) -> Bool { part.hasPrefix("{") }
}
