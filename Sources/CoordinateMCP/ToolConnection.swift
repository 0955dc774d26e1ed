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
        var calls: [Int: ToolCall] = [:]
        var lastNumber = 0
    }

    private let server: ToolServer
    private let client: ToolClient
    private let lineLimit: Int
    private let write: @Sendable ([UInt8]) -> Void
    /// Where lines are written, one after the other.
    private let output = DispatchQueue(label: "coordinate.tools.output")
    private let waiting = Mutex(Waiting())

    /// - Parameters:
    ///   - lineLimit: The most bytes of a line.
    ///   - write: Writes a line. It may block its thread, and is not called concurrently.
    package init(
        _ server: ToolServer, for client: ToolClient, lineLimit: Int, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.server = server
        self.client = client
        self.lineLimit = lineLimit
        self.write = write
    }

    /// Answers messages until the input ends. Calls that still wait are answered then, with their sessions as they are.
    ///
    /// - Parameter read: Returns the next bytes; empty at the end of the input.
    package func serve(_ read: () async -> [UInt8]) async {
        await withDiscardingTaskGroup { group in
            var line: [UInt8] = []
            var isTooLong = false
            while true {
                let bytes = await read()
                for byte in bytes {
                    guard byte == UInt8(ascii: "\n") else {
                        if line.count < lineLimit { line.append(byte) } else { isTooLong = true }
                        continue
                    }
                    if isTooLong { await refuseLine() } else { await answer(line, in: &group) }
                    line = []
                    isTooLong = false
                }
                guard bytes.isEmpty else { continue }
                // The last line need not end with a line feed.
                if isTooLong { await refuseLine() } else { await answer(line, in: &group) }
                for call in waiting.withLock(\.calls).values { call.endWaiting() }
                return
            }
        }
    }

    private func refuseLine() async {
        let error = RPCError.invalidRequest("A message must not be longer than \(lineLimit) bytes.")
        await send(RPCReply(error, to: nil, in: nil))
    }

    private func answer(_ line: [UInt8], in group: inout DiscardingTaskGroup) async {
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\t") })
        else { return }
        switch server.answer(to: line, headers: nil, for: client) {
        case .reply(let reply):
            if let id = reply.cancels { cancel(id) }
            await send(reply)
        case .call(let call) where call.waitingTime == nil: await send(call.reply())
        case .call(let call):
            guard let number = insert(call) else { return await send(call.refusal(Self.mostWaiting)) }
            group.addTask {
                let reply = await call.reply()
                if self.isWanted(number) { await self.send(reply) }
                self.waiting.withLock { $0.calls[number] = nil }
            }
        }
    }

    /// Writes a reply. A client that does not read its replies stops the reading of its messages.
    private func send(_ reply: RPCReply) async {
        guard let body = reply.body else { return }
        await withCheckedContinuation { continuation in
            output.async {
                self.write(body + [UInt8(ascii: "\n")])
                continuation.resume()
            }
        }
    }

    // MARK: Calls that wait

    /// Adds a call that waits. Returns its number; `nil` if too many wait.
    private func insert(_ call: ToolCall) -> Int? {
        waiting.withLock { waiting in
            guard waiting.calls.count < Self.mostWaiting else { return nil }
            waiting.lastNumber += 1
            waiting.calls[waiting.lastNumber] = call
            return waiting.lastNumber
        }
    }

    private func isWanted(_ number: Int) -> Bool { waiting.withLock { $0.calls[number] != nil } }

    /// Ends the waiting of a call whose client no longer wants a reply.
    private func cancel(_ id: RPCMessage.ID) {
        let cancelled = waiting.withLock { waiting in
            defer { waiting.calls = waiting.calls.filter { $0.value.id != id } }
            return waiting.calls.values.filter { $0.id == id }
        }
        for call in cancelled { call.endWaiting() }
    }
}
