package import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A journal that holds appends and reads while a test wants it to. It delivers the results later, from another thread.
package final class HeldJournal: ForwardingJournal {
    private struct State {
        var isHeld = false
        /// The calls to run when it is released, in the order in which they arrived.
        var held: [@Sendable () -> Void] = []
        var reads = 0
    }

    package let journal: MemoryJournal
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "held journal")
    private let arrivals = AsyncStream<Void>.makeStream()

    package init(_ journal: MemoryJournal = MemoryJournal()) {
        self.journal = journal
    }

    package func hold() { state.withLock { $0.isHeld = true } }

    package func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for work in held { queue.async(execute: work) }
    }

    /// The number of reads of entries.
    package var reads: Int { state.withLock { $0.reads } }

    /// Returns once another call is held.
    package func somebodyWaits() async {
        _ = await arrivals.stream.first { true }
    }

    private func whenReleased<Value: Sendable>(
        _ body: @escaping @Sendable () -> Future<Value, JournalError>
    ) -> Future<Value, JournalError> {
        let promise = state.withLock { state -> Promise<Value, JournalError>? in
            guard state.isHeld else { return nil }
            let promise = Promise<Value, JournalError>()
            state.held.append { body().handOver { promise.fulfil($0) } }
            return promise
        }
        guard let promise else { return body() }
        arrivals.continuation.yield()
        return .later(promise)
    }

    package func append(_ entry: JournalEntry, to session: SessionID) -> Future<Void, JournalError> {
        whenReleased { [journal] in journal.append(entry, to: session) }
    }

    package func read(
        _ session: SessionID, after version: Int, limit: Int
    ) -> Future<[JournalEntry], JournalError> {
        state.withLock { $0.reads += 1 }
        return whenReleased { [journal] in journal.read(session, after: version, limit: limit) }
    }
}
