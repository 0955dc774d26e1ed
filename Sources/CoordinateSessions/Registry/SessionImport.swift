internal import Coordinate
internal import Synchronization

/// A session that is created from an exported journal, part by part as the parts arrive.
///
/// The session exists only after all of the journal has been replayed, and only if the replay leads where the recording
/// did. The replay may be long, so it runs on a lane; the thread that reads the request does not wait for it. An import
/// that its owner releases before the end creates nothing.
package final class SessionImport: FairScheduler.Job {
    /// The most bytes that may wait in all imports of a registry.
    private static let waitingLimit = 64 * 1024 * 1024

    /// The seconds by which the clock of the server that recorded a journal may be ahead.
    private static let clockTolerance = 5

    /// The parts that have arrived and are not replayed yet.
    private struct Inbox {
        var parts: [[UInt8]] = []
        var size = 0
        var isComplete = false
        /// Whether the import is on the lanes.
        var isAtWork = false
        /// Whether all parts have been replayed, or the reason why the import has failed; `nil` before that.
        var result: Result<Void, SessionError>?
        /// The caller that waits for the result.
        var waiter: CheckedContinuation<Result<Void, SessionError>, Never>?
    }

    /// The replay, and the entries that it has read.
    private struct State {
        var replay: JournalReplay?
        let collected = Collected()
    }

    /// The entries, until all have been replayed.
    private final class Collected {
        var entries: [JournalEntry] = []
        /// Their approximate memory, in bytes.
        var size = 0
    }

    package let client: ClientKey
    private let registry: SessionRegistry
    private let maximumLineLength: Int
    private let withholdsWork: Bool
    private let inbox = Mutex(Inbox())
    private let state = Mutex(State())
    /// The size of all parts and entries so far, in bytes.
    private let size = Atomic(0)

    /// - Parameters:
    ///   - maximumLineLength: The longest line, in bytes.
    ///   - withholdsWork: Whether the new session withholds its work. It does in any case if the journal says so.
    package init(
        into registry: SessionRegistry, for client: ClientKey = .host,
        maximumLineLength: Int = JournalReplay.maximumLineLength, withholdingWork withholdsWork: Bool = false
    ) throws(SessionError) {
        self.registry = registry
        self.client = client
        self.maximumLineLength = maximumLineLength
        self.withholdsWork = withholdsWork
        if let shortage = registry.shortage { throw shortage }
    }

    deinit {
        registry.host.budget.charge(-size.load(ordering: .relaxed), to: .imports)
    }

    /// Adds the next part of the journal.
    package func read(_ part: [UInt8]) {
        guard !registry.host.budget.isBusy else { return fail(.memoryIsFull) }
        charge(part.count)
        guard registry.waitingImports.add(part.count, upTo: Self.waitingLimit) else { return fail(.tooBusy) }
        let isWanted = inbox.withLock { inbox in
            guard inbox.result == nil else { return false }
            inbox.parts.append(part)
            inbox.size += part.count
            return true
        }
        if isWanted { work() } else { registry.waitingImports.remove(part.count) }
    }

    private func charge(_ count: Int) {
        size.add(count, ordering: .relaxed)
        registry.host.budget.charge(count, to: .imports)
    }

    /// Creates the session, after the last part.
    package func finish() async throws(SessionError) -> SessionSummary {
        inbox.withLock { $0.isComplete = true }
        work()
        try await replayed()
        let (record, entries) = try state.withLock { state throws(SessionError) in
            defer { state.replay = nil }
            try state.replay?.finish()
            let recorded = state.replay?.header?.beginning ?? SessionBeginning()
            let record = registry.host.copy(
                withholdsWork ? recorded.withholdingWork : recorded, path: state.replay?.firstPath ?? "",
                begun: state.replay?.firstWork ?? [])
            return (record, state.collected.entries)
        }
        return try await registry.create(record, with: entries, for: client)
    }

    /// Waits until all parts have been replayed.
    private func replayed() async throws(SessionError) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = inbox.withLock { inbox in
                    if inbox.result == nil { inbox.waiter = continuation }
                    return inbox.result
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            cancel(.abandoned)
        }
        try result.get()
    }

    /// Continues on a lane, unless the import is on one already.
    private func work() {
        let isIdle = inbox.withLock { inbox in
            defer { inbox.isAtWork = true }
            return !inbox.isAtWork && inbox.result == nil
        }
        guard isIdle else { return }
        if registry.host.scheduler.isCancelled { return fail(.draining) }
        if !registry.host.scheduler.enter(self) { fail(.tooBusy) }
    }

    // MARK: On a lane

    /// Once no caller waits for it, it is canceled.
    package var isAwaited: Bool { true }

    package func advance(within slice: WorkSlice) -> FairScheduler.SliceResult {
        do throws(SessionError) {
            repeat {
                if try readLine() { continue }
                if let part = nextPart() {
                    state.withLock { $0.replay?.append(part) }
                    continue
                }
                switch checkInput() {
                case .available: continue
                case .complete: end(.success(()))
                case .none: break
                }
                return .done
            } while !slice.isOver
            return .more
        } catch {
            // Releases the replay before any caller learns of the error.
            state.withLock { $0.replay = nil }
            fail(error)
            return .done
        }
    }

    package func cancel(_ reason: FairScheduler.StopReason) { fail(SessionError(reason)) }

    private func fail(_ reason: SessionError) {
        let size = inbox.withLock { inbox in
            defer { (inbox.parts, inbox.size) = ([], 0) }
            return inbox.size
        }
        registry.waitingImports.remove(size)
        end(.failure(reason))
    }

    private func end(_ result: Result<Void, SessionError>) {
        registry.host.scheduler.leave(self)
        let waiter = inbox.withLock { inbox in
            if inbox.result == nil { inbox.result = result }
            defer { inbox.waiter = nil }
            return inbox.waiter
        }
        waiter?.resume(returning: result)
    }

    private func nextPart() -> [UInt8]? {
        let part = inbox.withLock { inbox -> [UInt8]? in
            guard !inbox.parts.isEmpty else { return nil }
            let part = inbox.parts.removeFirst()
            inbox.size -= part.count
            return part
        }
        if let part { registry.waitingImports.remove(part.count) }
        return part
    }

    private enum Input {
        case available, complete, none
    }

    /// Returns what has arrived after the parts that were replayed. If the import has to wait for more, it leaves the
    /// lanes.
    private func checkInput() -> Input {
        inbox.withLock { inbox in
            guard inbox.result == nil else { return .none }
            guard inbox.parts.isEmpty else { return .available }
            guard !inbox.isComplete else { return .complete }
            registry.host.scheduler.leave(self)
            inbox.isAtWork = false
            return .none
        }
    }

    private func readLine() throws(SessionError) -> Bool {
        try state.withLock { state throws(SessionError) in
            let collected = state.collected
            if let replay = state.replay {
                let size = collected.size
                defer { charge(collected.size - size) }
                return try replay.readLine()
            }
            let maximum = registry.host.limits.maximumEvents
            let latest = Timestamp(seconds: registry.host.clock.timestamp().seconds + Self.clockTolerance)
            state.replay = JournalReplay(registry.host.app, maximumLineLength: maximumLineLength, latest: latest) {
                entry throws(SessionError) in
                guard collected.entries.count < maximum else { throw .historyIsFull }
                collected.entries.append(entry.inherited)
                collected.size += entry.size
            }
            return false
        }
    }
}

/// A shared counter of bytes with a limit.
final class ByteAllowance: Sendable {
    private let used = Atomic(0)

    /// Adds a number of bytes; `false` if that would exceed the limit, and then adds nothing.
    func add(_ count: Int, upTo limit: Int) -> Bool {
        if used.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
        remove(count)
        return false
    }

    func remove(_ count: Int) {
        used.wrappingSubtract(count, ordering: .relaxed)
    }
}
