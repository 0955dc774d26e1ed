import Coordinate
import CoordinateSessions
import MisbehavingJournal
import Synchronization

/// One attempt at a piece of work, by one server.
final class Attempt: Sendable {
    let key: String
    let server: Int
    private let state = Mutex((isCancelled: false, isOver: false))

    init(_ key: String, on server: Int) {
        self.key = key
        self.server = server
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the server waits for its result.
    var isUnderWay: Bool { state.withLock { !$0.isCancelled && !$0.isOver } }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func end() {
        state.withLock { $0.isOver = true }
    }
}

extension History {
    // MARK: Running

    /// Runs work as a job of the schedule. Some of it takes a while, and some ignores its cancellation.
    func executor(of server: Int) -> WorkExecutor {
        { work in
            // A crashed server's remaining work may still get here.
            guard !self.isGone(server) else { return nil }
            let attempt = Attempt(work.key, on: server)
            self.check(work, on: server)
            self.ledger.state.withLock { $0.attempts.append(attempt) }
            let number = self.ledger.nextNumber()
            let event =
                self.chance(1, of: 4)
                ? work.body.failed(WorkFailure("failure \(number)")) : work.body.done(number)
            let isStubborn = self.chance(1, of: 4)
            self.ledger.trace("server \(server) begins work \(self.name(ofWork: work.key)) for \(number)")
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    self.later {
                        guard let event, !self.isGone(server), isStubborn || !attempt.isCancelled else {
                            return continuation.resume(returning: nil)
                        }
                        self.ledger.trace("server \(server) has finished work \(self.name(ofWork: work.key))")
                        attempt.end()
                        continuation.resume(returning: event)
                    }
                }
            } onCancel: {
                attempt.cancel()
            }
        }
    }

    private func later(_ job: @escaping @Sendable () -> Void) {
        switch isCalm ? 1 : random(1...6) {
        case 1...3: schedule.soon(job)
        case 4: schedule.late(job)
        default:
            let time = now + random(1...25)
            long.withLock { $0.append((time, job)) }
        }
    }

    /// Ends long work that is due by now.
    func endLongWork(by time: Int) {
        let jobs = long.withLock { long in
            defer { long.removeAll { $0.time <= time } }
            return long.filter { $0.time <= time }
        }
        for (_, job) in jobs { schedule.soon(job) }
    }

    private func place(ofWork key: String) -> (session: SessionID, work: String)? {
        let parts = key.split(separator: "/").map(String.init)
        guard parts.count == 2, let session = store.session(withReference: parts[0]) else { return nil }
        return (session, parts[1])
    }

    func name(ofWork key: String) -> String {
        place(ofWork: key).map { "\($0.work) of \(ledger.name($0.session))" } ?? key
    }

    /// Checks that work which begins was requested by a committed entry, and that a server knows which work it has
    /// begun before.
    private func check(_ work: WorkAttempts, on server: Int) {
        let former = ledger.state.withLock { state in state.attempts.filter { $0.key == work.key } }
        if !former.isEmpty {
            ledger.count(former.contains { $0.server != server } ? "taken over" : "begun again")
            if work.first < 2, former.contains(where: { $0.server == server }) {
                ledger.violation("\(name(ofWork: work.key)) is begun again as the first attempt")
            }
        }
        guard let place = place(ofWork: work.key), let first = store.firstWork(of: place.session) else {
            return ledger.violation("\(work.key) is not a key of work")
        }
        if store.isWorkWithheld(in: place.session) {
            ledger.violation("server \(server) begins \(name(ofWork: work.key)), which is withheld")
        }
        let asked = first + (store.history(of: place.session) ?? []).flatMap(\.begun)
        if !asked.contains(where: { $0.id == place.work && $0.due == nil }) {
            ledger.violation("server \(server) begins \(name(ofWork: work.key)), which was not requested")
        }
    }

    // MARK: At the end

    /// The longest time that all servers together may need for due work, in seconds.
    private static let patience = 15

    /// Advances the time until only withheld work is pending, and checks that nothing waits for long.
    func settle() {
        calm()
        endLongWork(by: .max)
        var dueSince: [String: Int] = [:]
        for second in 1...120 {
            advance(by: 1)
            while schedule.pump() {}
            if second > 3 { checkLeases() }
            var isOver = true
            for session in store.allSessions where store.contains(session) && !store.isWorkWithheld(in: session) {
                for pending in Tally(of: session, in: store).pending {
                    isOver = false
                    guard pending.due ?? moment(at: 0) <= moment(at: now) else { continue }
                    let since = dueSince["\(session)/\(pending.id)"] ?? second
                    dueSince["\(session)/\(pending.id)"] = since
                    guard second - since > Self.patience else { continue }
                    return ledger.violation("no server reports \(pending.id) of \(ledger.name(session))")
                }
            }
            if isOver, second > 3 { return checkThatNothingIsLeased() }
        }
        ledger.violation("work does not end")
    }

    /// Checks, when all faults end, that at most one server looks after each session, and holds its lease.
    private func checkLeases() {
        var holders: [SessionID: Int] = [:]
        for server in allServers {
            for session in server.registry.workScheduler.leased {
                if let other = holders[session] {
                    ledger.violation("\(other) and \(server.number) look after \(ledger.name(session))")
                }
                holders[session] = server.number
                if store.leaseHolder(of: session) !== server.journal, store.contains(session) {
                    ledger.violation("\(server.number) looks after \(ledger.name(session)) without a lease")
                }
            }
        }
        var runners: [String: Int] = [:]
        for attempt in ledger.state.withLock({ $0.attempts }) where attempt.isUnderWay && !isGone(attempt.server) {
            if let other = runners[attempt.key] {
                ledger.violation("\(other) and \(attempt.server) run \(name(ofWork: attempt.key))")
            }
            runners[attempt.key] = attempt.server
        }
    }

    private func checkThatNothingIsLeased() {
        for server in allServers {
            let workScheduler = server.registry.workScheduler
            if workScheduler.running > 0 || !workScheduler.leased.isEmpty {
                ledger.violation(
                    "server \(server.number) runs \(workScheduler.running) and looks after \(workScheduler.leased.count)"
                )
            }
        }
        for session in store.allSessions {
            if let holder = store.leaseHolder(of: session), store.contains(session) {
                let number = allServers.first { $0.journal === holder }?.number ?? -1
                ledger.violation("server \(number) has leased \(ledger.name(session)) for nothing")
            }
        }
    }

    /// Checks that every piece of work and every timer ends once, none too early, and none that is withheld.
    func checkWork() {
        for session in store.allSessions {
            let name = ledger.name(session)
            var pending: [String: PendingWork] = [:]
            for work in store.firstWork(of: session) ?? [] { pending[work.id] = work }
            for entry in store.history(of: session) ?? [] {
                if let id = entry.pending {
                    guard let work = pending.removeValue(forKey: id) else {
                        ledger.violation("\(name) accepted \(id) at \(entry.version), but it was not pending")
                        continue
                    }
                    ledger.count(work.due == nil ? "work reported" : "timers reported")
                    if store.isWorkWithheld(in: session), entry.version > store.inheritedVersion(of: session) {
                        ledger.violation("\(name) accepted \(id) at \(entry.version), but its work is withheld")
                    }
                    if entry.origin != (work.due == nil ? .work : .timer) {
                        ledger.violation("\(name) accepted \(id) with the origin \(entry.origin)")
                    }
                    if let due = work.due, entry.time < due {
                        ledger.violation("\(name) accepted \(id) at \(entry.time), but it is due at \(due)")
                    }
                }
                for id in entry.ended {
                    ledger.count("dropped")
                    if pending.removeValue(forKey: id) == nil {
                        ledger.violation("\(name) dropped \(id) at \(entry.version), but it was not pending")
                    }
                }
                for work in entry.begun where pending.updateValue(work, forKey: work.id) != nil {
                    ledger.violation("\(name) requested \(work.id) twice")
                }
                if !wakes(entry, for: Array(pending.values)) {
                    ledger.violation("\(name) at \(entry.version) is due at another time")
                }
            }
        }
    }

    /// Whether an entry has the right due moment.
    private func wakes(_ entry: JournalEntry, for pending: [PendingWork]) -> Bool {
        guard pending.allSatisfy({ $0.due != nil }) else { return entry.wake.map { $0 <= entry.time } ?? false }
        return entry.wake == pending.compactMap(\.due).min()
    }
}
