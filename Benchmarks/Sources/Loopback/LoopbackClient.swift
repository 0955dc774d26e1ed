package import Foundation

/// One connection to a server on this machine. It keeps answers as they arrive.
package final class LoopbackClient {
    private let descriptor: Int32

    /// Connects to a server. Reading and writing fail after ten seconds without progress.
    ///
    /// - Parameters:
    ///   - origin: The address of this machine to connect from: any of 127.0.0.0/8.
    ///   - window: The size of the system's receive buffer in bytes. `nil` for the system's choice.
    package init(port: UInt16, from origin: String? = nil, window: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { setsockopt(descriptor, SOL_SOCKET, option, &patience, size) }
        if var window {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if let origin {
            guard inet_pton(AF_INET, origin, &address.sin_addr) == 1 else {
                throw BenchmarkError("\(origin) is not an address.")
            }
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard status == 0 else { throw BenchmarkError("No server listens on port \(port).") }
    }

    deinit { close(descriptor) }

    /// Sends a whole request and returns the answer. Throws unless it is a success or 304.
    @discardableResult
    package func send(_ request: String) throws -> Answer {
        let answer = try ask(request)
        guard answer.status < 400 else {
            throw BenchmarkError("\(request)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
        return answer
    }

    /// Sends a whole request and returns the answer with any status.
    package func ask(_ request: String) throws -> Answer {
        try write(request)
        return try answer()
    }

    /// Reads the answer to a request that was sent before.
    package func answer() throws -> Answer {
        var received = Data()
        while true {
            if let answer = Answer(received) { return answer }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
            received.append(contentsOf: buffer[..<count])
        }
    }

    /// Sends a whole request and reads the answer into a buffer, with as little work as possible. The answer must
    /// arrive at once.
    ///
    /// - Returns: The size of the answer.
    package func exchange(_ request: [UInt8], _ buffer: inout [UInt8]) throws -> Int {
        guard Foundation.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchmarkError("The server did not accept a request at once.")
        }
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
        return count
    }

    /// Sends bytes and reads nothing.
    package func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
            sent += count
        }
    }

    /// Reads what has arrived, or waits for it for a limited time.
    ///
    /// - Returns: The bytes; empty after the end of the connection. `nil` if nothing arrived in time.
    package func receive(within time: Duration) throws -> [UInt8]? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(max(0, time / .milliseconds(1)))) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw BenchmarkError("The connection broke.") }
        return Array(buffer[..<count])
    }

    /// Reads a limited number of bytes as soon as some have arrived.
    @discardableResult
    package func sip(bytes size: Int) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: size)
        let count = read(descriptor, &buffer, size)
        guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
        return Array(buffer[..<count])
    }

    /// Closes the sending side of the connection.
    package func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns whether the server has closed the connection. It reads and discards a limited number of bytes to find
    /// out.
    package func isClosedByServer(reading size: Int = 4_096) -> Bool {
        var buffer = [UInt8](repeating: 0, count: size)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }
}

/// A whole HTTP answer.
package struct Answer {
    /// The answer as it arrived.
    package let bytes: Data
    package let status: Int
    package let bodySize: Int
    private let head: String

    /// Parses an answer. `nil` if bytes are still missing.
    package init?(_ bytes: Data) {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        self.bytes = bytes
        status = Int(head.split(separator: " ")[1]) ?? 0
        bodySize = bytes.count - end.upperBound
        guard header("Transfer-Encoding") == nil || bytes.suffix(5) == Data("0\r\n\r\n".utf8) else { return nil }
        guard bodySize >= header("Content-Length").flatMap({ Int($0) }) ?? 0 || status == 304 else { return nil }
    }

    package func header(_ name: String) -> String? {
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    package var body: String {
        var rest = bytes.suffix(bodySize)
        guard header("Transfer-Encoding") != nil else { return String(decoding: rest, as: UTF8.self) }
        var body = Data()
        while let line = rest.firstRange(of: Data("\r\n".utf8)),
            let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            body += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size + 2)
        }
        return String(decoding: body, as: UTF8.self)
    }
}
