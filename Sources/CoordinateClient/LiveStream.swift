internal import Foundation
internal import Synchronization

/// The live stream of a session's routes: see ``SessionClient/follow(after:headers:fileID:filePath:line:column:)``.
///
/// ```swift
/// let stream = try await client.follow()
/// #expect(try await stream.next()?.route.path == "/splash")
/// try await client.emit("splash.didFinish")
/// #expect(try await stream.next()?.route.path == "/main/teams")
/// ```
///
/// It keeps messages until they are read, and disconnects from the server when it is released. If it ends although the
/// server did not end it, ``failure`` is the reason: follow again after the last version read.
///
/// ```swift
/// var last: Int?
/// for await message in stream { last = message.id ?? last }
/// if stream.failure != nil { stream = try await client.follow(after: last) }
/// ```
public struct LiveStream: AsyncSequence, Sendable {
    /// The answer whose body is the stream. Its own body is empty.
    public let answer: ServerAnswer
    private let messages: AsyncStream<Message>
    private let broken: BrokenStream

    /// The reason why the stream broke; `nil` if it continues or the server ended it.
    public var failure: RequestFailure? { broken.failure.withLock { $0 } }

    /// Waits for the next message and returns it; `nil` if the stream has ended.
    public func next() async -> Message? {
        var iterator = messages.makeAsyncIterator()
        return await iterator.next()
    }

    /// An iterator over the messages. Each message is delivered to only one reader.
    public func makeAsyncIterator() -> AsyncStream<Message>.Iterator {
        messages.makeAsyncIterator()
    }

    /// One message of the server.
    public struct Message: Equatable, Sendable {
        /// The session's version; `nil` if the message has none.
        public let id: Int?
        /// `route`; `reset` if earlier routes were skipped; or `end`.
        public let event: String
        public let data: String
        /// The call that opened the stream.
        public let callSite: CallSite

        public init(id: Int?, event: String, data: String, callSite: CallSite = CallSite()) {
            self.id = id
            self.event = event
            self.data = data
            self.callSite = callSite
        }

        /// The route document in the message.
        ///
        /// - Throws: ``UnexpectedMessage`` if the message has none, as the message `end`.
        public var route: Document.Route {
            get throws {
                guard let route = try? JSONDecoder().decode(Document.Route.self, from: Data(data.utf8)) else {
                    throw UnexpectedMessage(event: event, data: data, callSite: callSite)
                }
                return route
            }
        }

        /// Returns whether two messages say the same. The calls that opened their streams do not count.
        public static func == (one: Message, other: Message) -> Bool {
            (one.id, one.event, one.data) == (other.id, other.event, other.data)
        }
    }
}

extension LiveStream {
    /// Reads the messages in the pieces of an answer's body.
    init(
        _ answer: ServerAnswer, _ pieces: some AsyncSequence<[UInt8], any Error> & Sendable, of request: ClientRequest,
        _ limits: SessionClient.Limits
    ) {
        let (stream, messages) = AsyncStream<Message>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.unreadMessages))
        let broken = BrokenStream()
        let reading = Task {
            defer { messages.finish() }
            var parser = LiveStreamParser(callSite: request.callSite)
            let tooLarge = request.failure(.tooLarge(limit: limits.answerSize))
            do {
                for try await piece in pieces {
                    for message in parser.append(piece) {
                        guard message.data.utf8.count <= limits.answerSize else { throw tooLarge }
                        if case .dropped = messages.yield(message) {
                            throw request.failure(.unread(limit: limits.unreadMessages))
                        }
                    }
                    guard parser.incompleteBytes <= limits.answerSize else { throw tooLarge }
                }
            } catch {
                let reason = error as? RequestFailure ?? request.failure(.disconnected("the stream broke"))
                broken.failure.withLock { $0 = reason }
            }
        }
        messages.onTermination = { _ in reading.cancel() }
        self.init(answer: answer, messages: stream, broken: broken)
    }
}

/// The error for a message of a stream that has no route. Its line is that of the call that opened the stream.
public struct UnexpectedMessage: ClientError, Equatable {
    /// `end`, or the name of another message.
    public let event: String
    public let data: String
    public let callSite: CallSite

    public var message: String {
        let reason = event == "end" ? "the session has ended" : "its data is \(data)"
        return "The message \"\(event)\" has no route: \(reason). Check a message's `event` before you read its route."
    }
}

/// The reason why a stream broke.
final class BrokenStream: Sendable {
    let failure = Mutex<RequestFailure?>(nil)
}

/// A parser of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6).
struct LiveStreamParser {
    private var buffer: [UInt8] = []
    private var fields: [Substring: Substring] = [:]
    private let callSite: CallSite

    /// - Parameter callSite: The call that opened the stream.
    init(callSite: CallSite = CallSite()) {
        self.callSite = callSite
    }

    /// The number of bytes of the incomplete message.
    var incompleteBytes: Int { buffer.count + fields.values.reduce(0) { $0 + $1.utf8.count } }

    /// Appends bytes, and returns the messages that they complete.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [LiveStream.Message] {
        buffer += bytes
        guard let end = buffer.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        buffer.removeSubrange(...end)
        return lines.compactMap { parse(line: $0) }
    }

    private mutating func parse(line: Substring) -> LiveStream.Message? {
        guard !line.isEmpty else {
            defer { fields = [:] }
            guard let data = fields["data"] else { return nil }
            return LiveStream.Message(
                id: fields["id"].flatMap { Int($0) }, event: String(fields["event"] ?? "message"), data: String(data),
                callSite: callSite)
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        fields[parts[0]] = parts[0] == "data" ? fields["data"].map { $0 + "\n" + value } ?? value : value
        return nil
    }
}
