internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A client that is connected by two streams, with one message per line: the program's standard input and output.
///
/// Messages are answered in order, and none is read before the reply to the last one is written. Only calls that wait
/// are answered when their waiting ends, because the client may send other messages in the meantime.
package final class ToolConnection: Sendable {
    /// The most calls that wait, or whose replies are not written yet. Further ones are refused.
    private static let mostWaiting = 64

    private struct Waiting {
        var replies: [Int: WaitingReply] = [:]
        var lastNumber = 0
    }

    private let server: ToolServer
    private let client: ToolClient
    private let lineLimit: Int
    private let write: @Sendable ([UInt8]) -> Void
    /// Where lines are written, one after the other.
    private let output = DispatchQueue(label: "coordinate.tools.output")
    private let waiting = Mutex(Waiting())
    private let calls = DispatchGroup()

    /// - Parameters:
    ///   - lineLimit: The most bytes of a line.
    ///   - write: Writes a line. It is not called concurrently.
    package init(
        _ server: ToolServer, for client: ToolClient, lineLimit: Int, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.server = server
        self.client = client
        self.lineLimit = lineLimit
        self.write = write
    }

    /// Answers messages until the input ends. Blocks its thread.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end of the input.
    package func serve(_ read: () -> [UInt8]) {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            let bytes = read()
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    if line.count < lineLimit { line.append(byte) } else { isTooLong = true }
                    continue
                }
                if isTooLong { refuseLine() } else { answer(line) }
                line = []
                isTooLong = false
            }
            guard bytes.isEmpty else { continue }
            // The last line need not end with a line feed.
            if isTooLong { refuseLine() } else { answer(line) }
            return finish()
        }
    }

    private func refuseLine() {
        let error = RPCError.invalidRequest("A message must not be longer than \(lineLimit) bytes.")
        send(RPCReply(error, to: nil, in: nil))
    }

    private func answer(_ line: [UInt8]) {
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\t") })
        else { return }
        switch server.reply(to: line, headers: nil, for: client) {
        case .reply(let reply):
            let done = DispatchSemaphore(value: 0)
            reply.whenDelivered { _ in done.signal() }
            done.wait()
            if case .success(let reply)? = reply.result { send(reply) }
        case .waiting(let reply): wait(for: reply)
        }
    }

    /// Writes a reply. A client that does not read its replies stops the reading of its messages.
    private func send(_ reply: RPCReply) {
        if let id = reply.cancels { cancel(id) }
        guard reply.body != nil else { return }
        output.sync { write(reply) }
    }

    private func write(_ reply: RPCReply) {
        if let body = reply.body { write(body + [UInt8(ascii: "\n")]) }
    }

    // MARK: Waiting

    private func wait(for reply: WaitingReply) {
        let number = waiting.withLock { waiting -> Int? in
            guard waiting.replies.count < Self.mostWaiting else { return nil }
            waiting.lastNumber += 1
            waiting.replies[waiting.lastNumber] = reply
            return waiting.lastNumber
        }
        guard let number else { return send(reply.refusal(Self.mostWaiting)) }
        calls.enter()
        reply.begin().whenDelivered { result in
            self.output.async {
                let isWanted = self.waiting.withLock { $0.replies[number] != nil }
                if isWanted, case .success(let reply) = result { self.write(reply) }
                self.waiting.withLock { $0.replies[number] = nil }
                self.calls.leave()
            }
        }
    }

    /// Ends the waiting of a call whose client no longer wants a reply.
    private func cancel(_ id: RPCMessage.ID) {
        let cancelled = waiting.withLock { waiting in
            let numbers = waiting.replies.filter { $0.value.id == id }.keys
            return numbers.compactMap { waiting.replies.removeValue(forKey: $0) }
        }
        for reply in cancelled { reply.cancel() }
    }

    /// Answers the calls that still wait, with their sessions as they are.
    private func finish() {
        let left = waiting.withLock { Array($0.replies.values) }
        for reply in left { reply.end() }
        _ = calls.wait(timeout: .now() + 5)
    }
}
