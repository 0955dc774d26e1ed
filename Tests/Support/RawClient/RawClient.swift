internal import Foundation
internal import Glibc

/// A TCP client that sends exactly the bytes that it is given, well-formed or not.
///
/// Each client is one connection. It blocks until the server responds.
public final class RawClient {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) {
            self.description = description
        }
    }

    /// A whole answer.
    public struct Answer: Equatable {
        public let status: Int
        /// The status line and the header lines, each with its end.
        public let head: String
        public fileprivate(set) var body = ""

        fileprivate init(head: String) {
            self.head = head
            status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }

        /// The headers by their names in lower case; of repeated ones the first.
        public var headers: [String: String] {
            // Not every server writes a space after the colon.
            let pairs = head.split(separator: "\r\n").dropFirst().map { line in
                (line.prefix { $0 != ":" }.lowercased(), String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }))
            }
            return Dictionary(pairs) { first, _ in first }
        }

        /// The value of a header; `nil` if it is missing.
        public func header(_ name: String) -> String? { headers[name.lowercased()] }
    }

    private let descriptor: Int32
    /// The bytes that have arrived and were not returned yet.
    private var received: [UInt8] = []

    /// - Parameters:
    ///   - url: The URL that a server prints: `http://127.0.0.1:43210`.
    ///   - patience: The time for which the server may be silent, in seconds.
    public convenience init(url: String, patience: Int = 20) throws {
        guard let port = URL(string: url)?.port.flatMap(UInt16.init) else {
            throw Failure(description: "no port in \(url)")
        }
        try self.init(port: port, patience: patience)
    }

    /// - Parameters:
    ///   - isIPv6: Whether it connects to ::1 instead of 127.0.0.1.
    ///   - host: The last part of the client's address in 127.0.0.0/24; 0 for any.
    ///   - patience: The time for which the server may be silent, in seconds.
    public init(port: UInt16, isIPv6: Bool = false, from host: UInt8 = 0, patience: Int = 20) throws {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = Self.pass(address) { connect(descriptor, $0, $1) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            if host > 0 {
                address.sin_addr.s_addr = (INADDR_LOOPBACK & 0xFFFF_FF00 | in_addr_t(host)).bigEndian
                _ = Self.pass(address) { bind(descriptor, $0, $1) }
            }
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            result = Self.pass(address) { connect(descriptor, $0, $1) }
        }
        guard result == 0 else {
            throw Failure(description: "cannot connect to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    private static func pass<Address>(
        _ address: Address, to call: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeBytes(of: address) {
            call($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    // MARK: Sending

    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Failure(description: "cannot send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(sent)
        }
    }

    /// Closes the sending side.
    public func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    // MARK: Receiving

    /// Receives data until a text arrives, and returns everything up to its end.
    public func receive(until end: String) throws -> String {
        try receive(until: end, orCloses: "before an answer, after")
    }

    private func receive(until end: String, orCloses place: String) throws -> String {
        let end = Array(end.utf8)
        var searched = 0
        while true {
            if let place = (searched..<max(searched, received.count - end.count + 1))
                .first(where: { received[$0..<($0 + end.count)].elementsEqual(end) })
            {
                return String(decoding: take(place + end.count), as: UTF8.self)
            }
            searched = max(0, received.count - end.count + 1)
            guard try receiveMore() else {
                throw Failure(description: "closed \(place) \(received.count) bytes")
            }
        }
    }

    /// Receives one answer. An answer to `HEAD` or with the status 304 has no body, whatever its length is.
    public func answer(toHead: Bool = false) throws -> Answer {
        var answer = Answer(head: try receive(until: "\r\n\r\n"))
        let hasBody = !toHead && answer.status != 304
        let size = hasBody ? answer.headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        while received.count < size {
            guard try receiveMore() else { throw Failure(description: "closed within a body") }
        }
        answer.body = String(decoding: take(size), as: UTF8.self)
        return answer
    }

    /// The next chunk of a body; `nil` after the last.
    public func chunk() throws -> String? {
        let line = try receive(until: "\r\n", orCloses: "within a chunked body, after")
        guard let size = Int(line.dropLast(), radix: 16) else {
            throw Failure(description: "\(line) is no size of a chunk")
        }
        while received.count < size + 2 {
            guard try receiveMore() else { throw Failure(description: "closed within a chunked body") }
        }
        let content = take(size + 2).dropLast(2)
        return size > 0 ? String(decoding: content, as: UTF8.self) : nil
    }

    /// The contents of the chunks, until they end with a text or there are no more.
    public func chunks(until ending: String? = nil) throws -> String {
        var text = ""
        while let chunk = try chunk() {
            text += chunk
            if let ending, text.hasSuffix(ending) { break }
        }
        return text
    }

    /// All data until the server closes the connection.
    public func everything() throws -> String {
        while try receiveMore() {}
        return String(decoding: take(received.count), as: UTF8.self)
    }

    /// Ends the sending side, and returns everything until the server closes the connection.
    public func finish() throws -> [UInt8] {
        // libmicrohttpd misses an end that arrives with the last bytes until the connection has been idle for long.
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, 2)
        finishSending()
        while try receiveMore() {}
        return take(received.count)
    }

    /// Whether the server has closed the connection, or closes it within the time.
    public func isClosed(within milliseconds: Int32) throws -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) > 0 else { return false }
        return try !receiveMore()
    }

    /// Removes bytes that have been received.
    private func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Returns `false` at the end of the connection.
    private func receiveMore() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &part, part.count, 0)
        // Unread data at the close of the server is reported as a reset.
        guard count >= 0 || errno == ECONNRESET else {
            throw Failure(description: "cannot receive: \(String(cString: strerror(errno)))")
        }
        received += part.prefix(max(0, count))
        return count > 0
    }

    /// Sends one whole request, and returns the answer.
    public static func answer(of url: String, to request: String, patience: Int = 20) throws -> Answer {
        let client = try RawClient(url: url, patience: patience)
        try client.send(request)
        return try client.answer(toHead: request.hasPrefix("HEAD "))
    }
}
