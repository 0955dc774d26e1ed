internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A client that is connected by two streams, with one message per line: the program's standard input and output.
///
/// Messages are answered in order. Only calls that wait are answered when their waiting ends, because the client may
/// send other messages in the meantime.
package final class ToolConnection: Sendable {
    /// The most calls that wait at a time. The next message is read when one of them ends.
    private static let mostWaiting = 64

    private let server: ToolServer
    private let client: ToolClient
    private let lineLimit: Int
    private let write: @Sendable ([UInt8]) -> Void
    /// Where lines are written, one after the other.
    private let output = DispatchQueue(label: "coordinate.tools.output")
    private let waiting = Mutex<[Int: WaitingReply]>([:])
    private let room = DispatchSemaphore(value: mostWaiting)
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
            reply.handOver { result in
                if case .success(let reply) = result {
                    if let id = reply.cancels { self.cancel(id) }
                    self.send(reply)
                }
                done.signal()
            }
            done.wait()
        case .waiting(let reply): wait(for: reply)
        }
    }

    private func send(_ reply: RPCReply) {
        guard let body = reply.body else { return }
        output.async { self.write(body + [UInt8(ascii: "\n")]) }
    }

    // MARK: Waiting

    private func wait(for reply: WaitingReply) {
        room.wait()
        calls.enter()
        let number = waiting.withLock { waiting in
            let number = (waiting.keys.max() ?? 0) + 1
            waiting[number] = reply
            return number
        }
        reply.begin().handOver { result in
            let isWanted = self.waiting.withLock { $0.removeValue(forKey: number) } != nil
            if isWanted, case .success(let reply) = result { self.send(reply) }
            self.room.signal()
            self.calls.leave()
        }
    }

    /// Ends the waiting of a call whose client no longer wants a reply.
    private func cancel(_ id: RPCMessage.ID) {
        let cancelled = waiting.withLock { waiting in
            let numbers = waiting.filter { $0.value.id == id }.keys
            return numbers.compactMap { waiting.removeValue(forKey: $0) }
        }
        for reply in cancelled { reply.end() }
    }

    /// Answers the calls that still wait, with their sessions as they are.
    private func finish() {
        let left = waiting.withLock { Array($0.values) }
        for reply in left { reply.end() }
        _ = calls.wait(timeout: .now() + 5)
        output.sync {}
    }
}
