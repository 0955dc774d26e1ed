package import Foundation

/// One connection to a server on this machine, which keeps answers as they came over the wire.
package final class LoopbackClient {
    private let descriptor: Int32

    /// - Parameter origin: An address of this machine's to connect from: any of 127.0.0.0/8.
    package init(port: UInt16, from origin: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        if let origin {
            guard inet_pton(AF_INET, origin, &address.sin_addr) == 1 else {
                throw BenchmarkError("\(origin) is no address.")
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
        guard status == 0 else { throw BenchmarkError("Nobody listens on port \(port).") }
    }

    deinit { close(descriptor) }

    /// Sends a whole request, and returns the answer, which must be a success or 304.
    @discardableResult
    package func send(_ request: String) throws -> Answer {
        let answer = try ask(request)
        guard answer.status < 400 else {
            throw BenchmarkError("\(request)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
        return answer
    }

    /// Sends a whole request, and returns the answer, whatever it is.
    package func ask(_ request: String) throws -> Answer {
        let bytes = Array(request.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
            sent += count
        }
        var received = Data()
        while true {
            if let answer = Answer(received) { return answer }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw BenchmarkError("The server closed the connection.") }
            received.append(contentsOf: buffer[..<count])
        }
    }
}

/// An HTTP answer, whole.
package struct Answer {
    /// As it came over the wire.
    package let bytes: Data
    package let status: Int
    package let bodySize: Int
    private let head: String

    /// Nil where bytes are still missing.
    package init?(_ bytes: Data) {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        self.bytes = bytes
        status = Int(head.split(separator: " ")[1]) ?? 0
        bodySize = bytes.count - end.upperBound
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

    package var body: String { String(decoding: bytes.suffix(bodySize), as: UTF8.self) }
}
