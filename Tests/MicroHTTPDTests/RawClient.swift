import Glibc

/// A TCP client that sends exactly the given bytes, well-formed or not.
final class RawClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A parsed answer.
    struct Answer: Equatable {
        var status: Int
        var headers: [String: String]
        var body: String
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Parameter host: The last part of the client's address in 127.0.0.0/24; 0 for any.
    init(port: UInt16, family: Int32 = AF_INET, from host: UInt8 = 0) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result: Int32
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = RawClient.connect(descriptor, to: address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            if host > 0 {
                address.sin_addr.s_addr = (INADDR_LOOPBACK & 0xFFFF_FF00 | in_addr_t(host)).bigEndian
                _ = withUnsafeBytes(of: address) {
                    bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
                }
            }
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            result = RawClient.connect(descriptor, to: address)
        }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            throw Failure(description: "cannot connect to port \(port): \(reason)")
        }
    }

    deinit {
        close(descriptor)
    }

    private static func connect<Address>(_ descriptor: Int32, to address: Address) -> Int32 {
        withUnsafeBytes(of: address) {
            Glibc.connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Failure(description: "cannot send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(sent)
        }
    }

    /// The next answer. It must have a `Content-Length`, unless it cannot have a body.
    func answer(toHead: Bool = false) throws -> Answer {
        while headEnd == nil {
            guard try receive() else {
                throw Failure(description: "closed before an answer, after \(buffer.count) bytes")
            }
        }
        let end = headEnd ?? 0
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        var answer = Answer(status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: [:], body: "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            answer.headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1]) : ""
        }
        buffer.removeFirst(end + 4)
        let size = toHead || answer.status == 304 ? 0 : answer.headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < size {
            guard try receive() else { throw Failure(description: "closed within a body") }
        }
        answer.body = String(decoding: buffer.prefix(size), as: UTF8.self)
        buffer.removeFirst(size)
        return answer
    }

    /// The next chunk of a body; `nil` after the last.
    func chunk() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")),
                let size = Int(String(decoding: buffer[..<end].dropLast(), as: UTF8.self), radix: 16),
                buffer.count >= end + 1 + size + 2
            {
                defer { buffer.removeFirst(end + 1 + size + 2) }
                guard size > 0 else { return nil }
                return String(decoding: buffer[(end + 1)..<(end + 1 + size)], as: UTF8.self)
            }
            guard try receive() else { throw Failure(description: "closed within a chunked body") }
        }
    }

    /// The contents of the chunks, until they end with a text or there are no more.
    func chunks(until ending: String? = nil) throws -> String {
        var text = ""
        while let chunk = try chunk() {
            text += chunk
            if let ending, text.hasSuffix(ending) { break }
        }
        return text
    }

    /// Closes the sending side.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// All data until the server closes the connection.
    func everything() throws -> String {
        while try receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Whether the server has closed the connection, or closes it within the time.
    func isClosed(within milliseconds: Int32) throws -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) > 0 else { return false }
        return try !receive()
    }

    private var headEnd: Int? {
        guard buffer.count >= 4 else { return nil }
        return (0...(buffer.count - 4)).first { buffer[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) }
    }

    /// Returns `false` at the end of the connection.
    private func receive() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 16_384)
        let received = recv(descriptor, &part, part.count, 0)
        guard received > 0 else {
            if received == 0 || errno == ECONNRESET { return false }
            throw Failure(description: "cannot receive: \(String(cString: strerror(errno)))")
        }
        buffer += part.prefix(received)
        return true
    }
}
