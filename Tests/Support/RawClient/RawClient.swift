internal import Foundation
internal import Glibc

/// A client that sends exactly the bytes that it is given, unlike a well-behaved client.
///
/// Each client is one connection. It blocks until the server responds.
public final class RawClient {
    public struct Failure: Error {
        public let reason: String
    }

    private let descriptor: Int32
    /// The bytes that have arrived and were not returned yet.
    private var received: [UInt8] = []

    /// - Parameters:
    ///   - url: The URL that a server prints: `http://127.0.0.1:43210`.
    ///   - patience: The time for which the server may be silent, in seconds.
    public init(url: String, patience: Int = 20) throws {
        guard let port = URL(string: url)?.port.flatMap(UInt16.init) else { throw Failure(reason: "no port in \(url)") }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafeBytes(of: address) {
            connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard result == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Failure(reason: String(cString: strerror(errno))) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Receives data until a text arrives, and returns everything up to its end.
    public func receive(until end: String) throws -> String {
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
                throw Failure(reason: "closed after \(String(decoding: received, as: UTF8.self))")
            }
        }
    }

    /// Ends the sending side, and returns everything until the server closes the connection.
    public func everything() throws -> [UInt8] {
        // libmicrohttpd misses an end that arrives with the last bytes until the connection has been idle for long.
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, 2)
        shutdown(descriptor, Int32(SHUT_WR))
        while try receiveMore() {}
        return take(received.count)
    }

    /// Receives one response, as status, header lines and body. A response to `HEAD` or with the status 304 has no body,
    /// whatever its length is.
    public func answer(toHead: Bool = false) throws -> (status: Int, head: String, body: String) {
        let head = try receive(until: "\r\n\r\n")
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length =
            head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) }
        let size = toHead || status == 304 ? 0 : length ?? 0
        while received.count < size, try receiveMore() {}
        return (status, head, String(decoding: take(min(size, received.count)), as: UTF8.self))
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
        guard count >= 0 || errno == ECONNRESET else { throw Failure(reason: String(cString: strerror(errno))) }
        received += part.prefix(max(0, count))
        return count > 0
    }

    /// Sends one whole request, and returns the response.
    public static func answer(
        of url: String, to request: String, patience: Int = 20
    ) throws -> (status: Int, head: String, body: String) {
        let client = try RawClient(url: url, patience: patience)
        try client.send(request)
        return try client.answer(toHead: request.hasPrefix("HEAD "))
    }
}
