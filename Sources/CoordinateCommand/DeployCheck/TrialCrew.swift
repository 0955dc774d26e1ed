internal import ArgumentParser
internal import CoordinateServer
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The threads that try sessions of a store, each with a process of its own.
final class TrialCrew: Sendable {
    private struct State {
        /// The sessions that are not given out yet.
        var sessions: ArraySlice<SessionID> = []
        /// The following page, once it was requested.
        var page: Future<SessionPage, JournalError>?
        var query: SessionQuery
        /// The number of sessions to list yet; `nil` for all.
        var rest: Int?
        var report: DeployCheckReport
        /// The reason why the check cannot continue.
        var failure: ExitCode?
    }

    private let store: any Journal
    private let arguments: [String]
    private let state: Mutex<State>

    /// The sessions of which a process knows at a time.
    private static let window = 32
    private static let pageSize = 500
    /// The number of crashes after which the check stops: each costs two processes.
    private static let maximumCrashes = 100

    /// - Parameters:
    ///   - sample: The number of sessions to try; `nil` for all.
    ///   - arguments: The arguments of this program with which it is a worker.
    init(for report: DeployCheckReport, in store: any Journal, sample: Int?, arguments: [String]) {
        self.store = store
        self.arguments = arguments
        let query = SessionQuery(app: report.app, limit: min(sample ?? .max, Self.pageSize), order: .id)
        state = Mutex(State(page: store.list(query), query: query, rest: sample, report: report))
    }

    /// Tries the sessions, and returns the report.
    nonisolated(nonsending) func run() async throws -> DeployCheckReport {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let group = DispatchGroup()
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
                group.enter()
                Thread.detachNewThread {
                    self.work()
                    group.leave()
                }
            }
            group.notify(queue: .global()) { done.resume() }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.report
        }
    }

    // MARK: Sessions

    /// Takes the next sessions, at most `count`; none at the end. Waits for the store.
    private func take(_ count: Int) -> ArraySlice<SessionID> {
        state.withLock { state in
            guard state.failure == nil, state.report.crashes < Self.maximumCrashes else {
                if !state.sessions.isEmpty || state.page != nil { state.report.isComplete = false }
                return []
            }
            while state.sessions.isEmpty, let page = state.page {
                state.page = nil
                switch page.waited {
                case .success(let page): add(page, to: &state)
                case .failure:
                    state.failure = ExitCode.storeUnreachable()
                    return []
                }
            }
            defer { state.sessions = state.sessions.dropFirst(count) }
            return state.sessions.prefix(count)
        }
    }

    private func add(_ page: SessionPage, to state: inout State) {
        state.sessions = page.sessions.map(\.record.id)[...]
        state.rest = state.rest.map { $0 - page.sessions.count }
        guard let next = page.next, state.rest != 0 else { return }
        state.query.after = next
        state.query.limit = min(state.rest ?? .max, Self.pageSize)
        state.page = store.list(state.query)
    }

    // MARK: Verdicts

    /// The work of a thread: it keeps a process busy.
    private func work() {
        var process: TrialProcess?
        /// The sessions on which the process has not reported, in order.
        var asked: ArraySlice<SessionID> = []
        while true {
            if asked.count <= Self.window / 2 {
                let more = take(Self.window - asked.count)
                guard !asked.isEmpty || !more.isEmpty else { break }
                if process == nil {
                    process = start()
                    if process == nil { return }
                }
                process?.ask(about: Array(more))
                asked += more
            }
            guard let running = process, let session = asked.first else { break }
            if let verdict = running.next() {
                guard note(verdict, on: session) else { break }
                asked = asked.dropFirst()
                continue
            }
            process = nil
            switch running.finish() {
            case .status(let status) where status != TrialWorker.standstillStatus:
                return fail(ExitCode(status))
            case .status, .signal:
                guard tryAgain(session) else { return }
            }
            // The rest needs another process.
            asked = asked.dropFirst()
            guard !asked.isEmpty else { continue }
            process = start()
            if process == nil { return }
            process?.ask(about: Array(asked))
        }
        _ = process?.finish()
    }

    /// Starts a process; `nil` if that fails, which ends the check.
    private func start() -> TrialProcess? {
        do {
            return try TrialProcess(arguments)
        } catch {
            fail(.unableToStart(error))
            return nil
        }
    }

    /// Tries a session that has ended its process, in a process of its own. As on a server, two crashes in a row count.
    ///
    /// - Returns: Whether the check continues.
    private func tryAgain(_ session: SessionID) -> Bool {
        do {
            let process = try TrialProcess(arguments + ["--trace"], isQuiet: true)
            process.ask(about: [session])
            var turn: (event: String, version: Int)?
            while let verdict = process.next() {
                guard case .turn(let event, let version) = verdict else {
                    _ = process.finish()
                    return note(verdict, on: session)
                }
                turn = (event, version)
            }
            let end: String
            switch process.finish() {
            case .signal(let signal): end = "the process crashed twice (signal \(signal))"
            case .status(TrialWorker.standstillStatus):
                end = "a turn did not end within \(TrialWorker.patience.components.seconds) s, twice"
            case .status(let status):
                fail(ExitCode(status))
                return false
            }
            return note(
                .problem(WakingProblem(.crash, event: turn?.event, version: turn?.version, reason: end)), on: session)
        } catch {
            fail(.unableToStart(error))
            return false
        }
    }

    /// - Returns: Whether the check continues.
    private func note(_ verdict: TrialVerdict, on session: SessionID) -> Bool {
        state.withLock { state in
            switch verdict {
            case .ok: state.report.addAsRecorded()
            case .ended: break
            case .problem(let problem): state.report.add(problem, of: session)
            case .unreachable, .turn: state.failure = state.failure ?? ExitCode.storeUnreachable()
            }
            return state.failure == nil
        }
    }

    private func fail(_ code: ExitCode) {
        state.withLock { $0.failure = $0.failure ?? code }
    }
}

extension ExitCode {
    fileprivate static func storeUnreachable() -> ExitCode {
        complain("The store cannot be reached. Retry later.")
        return .unavailable
    }

    fileprivate static func unableToStart(_ error: any Error) -> ExitCode {
        complain("A process for the check cannot be started: \(error)")
        return .unavailable
    }
}

extension Future {
    /// The result. Blocks the thread until it is available.
    fileprivate var waited: Result<Value, Failure> {
        let isDone = DispatchSemaphore(value: 0)
        handOver { _ in isDone.signal() }
        isDone.wait()
        guard let result else { preconditionFailure("A promise has handed over its result, and has none.") }
        return result
    }
}
