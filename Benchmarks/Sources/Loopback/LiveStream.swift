/// A session's live stream on its own connection, read message by message.
package final class LiveStream {
    /// A server-sent event.
    package struct Message {
        package let event: String
        /// Its `id:`. `nil` if it has none.
        package let version: Int?
        package let data: String
    }

    /// A refusal by the server, which does not start the stream.
    package struct Refusal: Error {
        package let status: Int
    }

    private let client: LoopbackClient
    /// Received bytes that are still in their chunks.
    private var chunks: [UInt8] = []
    /// Received text that is not yet a whole message.
    private var text: [UInt8] = []
    /// The time when anything arrived last, including heartbeats.
    package private(set) var lastHeard = ContinuousClock.now
    /// Whether the server has ended the stream.
    package private(set) var isOver = false

    /// - Parameters:
    ///   - origin: The address of this machine to connect from: any of 127.0.0.0/8.
    ///   - version: The last version that the client knows. `nil` to start with the current one.
    package init(port: UInt16, from origin: String? = nil, session: String, after version: Int? = nil) throws {
        client = try LoopbackClient(port: port, from: origin)
        let headers = ["Accept: text/event-stream"] + (version.map { ["Last-Event-ID: \($0)"] } ?? [])
        try client.write(HTTPText.get("/sessions/\(session)/events", headers: headers))
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = chunks.firstRange(of: end) {
                let line = String(decoding: chunks[..<head.lowerBound], as: UTF8.self).split(separator: " ")
                guard line.count > 1, line[1] == "200" else {
                    throw Refusal(status: line.count > 1 ? Int(line[1]) ?? 0 : 0)
                }
                chunks.removeSubrange(..<head.upperBound)
                break
            }
            guard let bytes = try client.receive(within: .seconds(10)), !bytes.isEmpty else {
                throw BenchmarkError("The server did not answer a stream.")
            }
            chunks += bytes
        }
        try takeOutOfChunks()
    }

    /// Returns the next message. `nil` if none arrives in time.
    package func next(within time: Duration) throws -> Message? {
        let deadline = ContinuousClock.now + time
        while true {
            if let message = takeMessage() { return message }
            guard !isOver, let bytes = try client.receive(within: deadline - .now) else { return nil }
            lastHeard = .now
            if bytes.isEmpty { isOver = true }
            chunks += bytes
            try takeOutOfChunks()
        }
    }

    private func takeOutOfChunks() throws {
        let newline = Array("\r\n".utf8)
        while let line = chunks.firstRange(of: newline) {
            guard let size = Int(String(decoding: chunks[..<line.lowerBound], as: UTF8.self), radix: 16) else {
                throw BenchmarkError("A stream has a chunk without a size.")
            }
            guard chunks.count >= line.upperBound + size + newline.count else { return }
            if size == 0 { isOver = true }
            text += chunks[line.upperBound..<line.upperBound + size]
            chunks.removeSubrange(..<(line.upperBound + size + newline.count))
        }
    }

    private func takeMessage() -> Message? {
        while let end = text.firstRange(of: Array("\n\n".utf8)) {
            var fields: [Substring: Substring] = [:]
            for line in String(decoding: text[..<end.lowerBound], as: UTF8.self).split(separator: "\n") {
                let colon = line.firstRange(of: ": ")
                if let colon { fields[line[..<colon.lowerBound]] = line[colon.upperBound...] }
            }
            text.removeSubrange(..<end.upperBound)
            if let event = fields["event"], let data = fields["data"] {
                return Message(event: String(event), version: fields["id"].flatMap { Int($0) }, data: String(data))
            }
        }
        return nil
    }
}
