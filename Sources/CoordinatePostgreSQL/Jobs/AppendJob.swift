internal import Coordinate
internal import CoordinateSessions

/// An entry to append.
struct AppendJob: ConnectionJob {
    let session: SessionID
    let version: Int32
    let pendingChange: Int32
    let changesPending: Bool
    let wake: Timestamp?
    let mark: UInt64?
    let content: [UInt8]
    let caller: JournalCaller<Void>

    init(_ entry: JournalEntry, to session: SessionID, for caller: JournalCaller<Void>) {
        self.session = session
        // A version that is out of bounds is never the next one, and neither is -1.
        version = Int32(exactly: entry.version).flatMap { $0 > 0 ? $0 : nil } ?? -1
        pendingChange = Int32(clamping: entry.pendingChange)
        changesPending = entry.changesPending
        wake = entry.wake
        mark = entry.mark
        content = entry.stored
        self.caller = caller
    }

    func refuse() {
        caller.resume(returning: .failure(.unavailable))
    }
}

/// The work of the worker that appends: groups of entries, with one commit each.
///
/// While PostgreSQL processes one group, the results of the previous group are reported.
struct AppendWork: Sendable {
    let commits: CommitCounter
    let followers: Subscriptions

    private typealias Outcome = Result<Void, JournalError>

    /// Entries that are committed together, and the outcome of each.
    private struct Group {
        var jobs: [AppendJob] = []
        var outcomes: [Outcome] = []

        func report() {
            for (job, outcome) in zip(jobs, outcomes) { job.caller.resume(returning: outcome) }
        }
    }

    /// The most bytes of content in a group, unless a single entry has more.
    private static let sizeLimit = 4 * 1024 * 1024

    func callAsFunction(_ link: inout Link, _ jobs: [AppendJob], _ intake: ConnectionWorker<AppendJob>.Intake) {
        var waiting = jobs
        var former = Group()
        while !waiting.isEmpty {
            var group = Group(jobs: Self.removeGroup(from: &waiting))
            followers.beginOwn(group.jobs.lazy.map { (session: $0.session, version: Int($0.version)) })
            defer { followers.endOwn(group.jobs.lazy.map(\.session)) }
            let start = ContinuousClock.now
            do throws(PostgreSQLError) {
                try link.send([Self.call(group.jobs)])
            } catch {
                former.report()
                // Without a connection nothing was sent. Otherwise the outcome is unknown.
                guard error.isCertain else {
                    for job in group.jobs { job.caller.resume(returning: .failure(.outcomeUnknown)) }
                    return intake.putBack(waiting)
                }
                return intake.putBack(group.jobs + waiting)
            }
            former.report()
            group.outcomes = outcomes(of: group.jobs, since: start, &link)
            former = group
            waiting += intake.more()
        }
        former.report()
    }

    /// Removes all jobs that can form a group. Two entries of one session cannot be in the same group.
    private static func removeGroup(from waiting: inout [AppendJob]) -> [AppendJob] {
        var sessions: Set<SessionID> = []
        var later: [AppendJob] = []
        var size = 0
        let group = waiting.filter { job in
            size += job.content.count
            let isIn = sessions.insert(job.session).inserted && (size <= sizeLimit || sessions.count == 1)
            if !isIn { later.append(job) }
            return isIn
        }
        waiting = later
        return group
    }

    private static func call(_ jobs: [AppendJob]) -> Call {
        let changing = jobs.filter(\.changesPending)
        return (changing.isEmpty ? Statements.append : Statements.appendAndSchedule) { parameters in
            parameters.appendIDs(of: jobs) { $0.session }
            parameters.appendInts(of: jobs) { $0.version }
            parameters.appendInts(of: jobs) { $0.pendingChange }
            parameters.appendLongs(of: jobs) { $0.mark.map { Int64(bitPattern: $0) } }
            parameters.appendBytes(of: jobs) { $0.content }
            guard !changing.isEmpty else { return }
            parameters.appendIDs(of: changing) { $0.session }
            parameters.appendLongs(of: changing) { $0.wake.map { Int64($0.seconds) } }
        }
    }

    /// Receives the outcomes of a group that was sent at a given moment.
    private func outcomes(
        of jobs: [AppendJob], since start: ContinuousClock.Instant, _ link: inout Link
    ) -> [Outcome] {
        do throws(PostgreSQLError) {
            let rows = try link.receive().last
            commits.count(entries: rows?.count ?? 0, took: start.duration(to: .now))
            guard rows?.count != jobs.count else {
                for job in jobs { followers.recordOwn(job.session, version: Int(job.version)) }
                return jobs.map { _ in .success(()) }
            }
            return outcomes(of: jobs, with: Set(rows?.sessions ?? []), &link)
        } catch {
            return jobs.count > 1 && error.concernsOne
                ? outcomesSingly(of: jobs, &link)
                : jobs.map { _ in .failure(error.ofChange) }
        }
    }

    /// Returns the outcomes of a group in which some entries were not added: their session is at another version, or
    /// does not exist.
    private func outcomes(
        of jobs: [AppendJob], with added: Set<SessionID>, _ link: inout Link
    ) -> [Outcome] {
        let refused = jobs.map(\.session).filter { !added.contains($0) }
        let present = (try? link.ask(Statements.present(.ids(refused)))).map { Set($0.sessions) }
        return jobs.map { job in
            if added.contains(job.session) {
                followers.recordOwn(job.session, version: Int(job.version))
                return .success(())
            }
            // The entry was not added, for an unknown reason.
            guard let present else { return .failure(.unavailable) }
            return .failure(present.contains(job.session) ? .conflict : .noSuchSession)
        }
    }

    /// Appends the entries of a refused group one by one, since one of them may be the cause, and returns the outcomes.
    private func outcomesSingly(of jobs: [AppendJob], _ link: inout Link) -> [Outcome] {
        let end = ContinuousClock.now + .milliseconds(1_500)
        return jobs.map { job in
            let start = ContinuousClock.now
            guard start < end else { return .failure(.unavailable) }
            do throws(PostgreSQLError) {
                try link.send([Self.call([job])])
            } catch {
                return .failure(error.ofChange)
            }
            return outcomes(of: [job], since: start, &link)[0]
        }
    }
}

extension PostgreSQLError {
    /// Whether one of several entries or sessions may be the cause, and the others can succeed without it.
    var concernsOne: Bool {
        if case .refused(let message) = self { !message.isGeneral } else { false }
    }

    /// The journal's error for a change that failed in this way.
    var ofChange: JournalError { isCertain ? .unavailable : .outcomeUnknown }
}
