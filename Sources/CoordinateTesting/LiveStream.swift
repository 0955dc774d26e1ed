internal import Foundation

/// What a session tells those who follow it, as it happens: see ``TestClient/follow(after:headers:)``.
///
/// ```swift
/// let stream = try await client.follow()
/// #expect(try await stream.next()?.route.path == "/splash")
/// try await client.emit("splash.didFinish")
/// #expect(try await stream.next()?.route.path == "/main/teams")
/// ```
///
/// It keeps what has come until it is asked for, and leaves the server when it is let go of.
public struct LiveStream: AsyncSequence, Sendable {
    /// What the stream began with; its body is empty.
    public let answer: TestAnswer
    private let messages: AsyncStream<Message>

    init(answer: TestAnswer, messages: AsyncStream<Message>) {
        self.answer = answer
        self.messages = messages
    }

    /// The next message, which is waited for; nil once the stream is over.
    public func next() async -> Message? {
        var iterator = messages.makeAsyncIterator()
        return await iterator.next()
    }

    /// The messages, which each arrive at one reader only.
    public func makeAsyncIterator() -> AsyncStream<Message>.Iterator {
        messages.makeAsyncIterator()
    }

    /// One of the server's messages.
    public struct Message: Equatable, Sendable {
        /// The session's version; nil where the message is about none.
        public let id: Int?
        /// `route`, `reset` where some were left out before it, or `end`.
        public let event: String
        public let data: String

        public init(id: Int?, event: String, data: String) {
            self.id = id
            self.event = event
            self.data = data
        }

        /// The route document that it brings.
        ///
        /// - Throws: an error where it brings something else.
        public var route: Document.Route {
            get throws { try JSONDecoder().decode(Document.Route.self, from: Data(data.utf8)) }
        }
    }
}

/// Makes messages of what comes in (https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6).
struct LiveStreamParser {
    private var rest: [UInt8] = []
    private var fields: [Substring: Substring] = [:]

    /// The messages that are whole with these bytes.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [LiveStream.Message] {
        rest += bytes
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = String(decoding: rest[..<end], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        rest.removeSubrange(...end)
        return lines.compactMap { take(line: $0) }
    }

    private mutating func take(line: Substring) -> LiveStream.Message? {
        guard !line.isEmpty else {
            defer { fields = [:] }
            guard let data = fields["data"] else { return nil }
            return LiveStream.Message(
                id: fields["id"].flatMap { Int($0) }, event: String(fields["event"] ?? "message"), data: String(data))
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        fields[parts[0]] = parts[0] == "data" ? fields["data"].map { $0 + "\n" + value } ?? value : value
        return nil
    }
}
