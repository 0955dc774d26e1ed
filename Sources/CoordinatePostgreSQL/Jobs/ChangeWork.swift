internal import Coordinate
internal import CoordinateSessions

/// The work of the worker that creates, keeps and ends sessions.
struct ChangeWork: Sendable {
    let expiries: ExpiryBuffer
    let total: SessionTotal
    let commits: CommitCounter

    func callAsFunction(_ link: inout Link, _ jobs: [ChangeJob], _ intake: ConnectionWorker<ChangeJob>.Intake) {
        var creations: [SessionInsertion] = []
        var others: [ChangeJob] = []
        var cleaning: (now: Timestamp, ended: @Sendable (SessionID, String) -> Void)?
        for job in jobs {
            switch job {
            case .create(let new) where new.record.sharedParent == nil: creations.append(new)
            // One clean-up does the work of all that wait.
            case .clean(let now, let ended): cleaning = (max(cleaning?.now ?? now, now), ended)
            case .create, .single: others.append(job)
            }
        }
        var remaining = others[...]
        creations = Creation(total: total, commits: commits).create(creations, &link)
        while link.isConnected, let job = remaining.popFirst() { carryOut(job, &link) }
        guard link.isConnected else {
            return intake.putBack(creations.map(ChangeJob.create) + remaining)
        }
        if let (now, ended) = cleaning, clean(by: now, &link, ended) { intake.putBack([.clean(by: now, ended)]) }
    }

    private func carryOut(_ job: ChangeJob, _ link: inout Link) {
        switch job {
        case .create(let new):
            guard let parent = new.record.sharedParent else { return }
            new.caller.resume(returning: fork(new, of: parent, &link))
        case .single(let job):
            do throws(PostgreSQLError) { try job.carryOut(&link) } catch { job.fail(error.ofChange) }
        case .clean: break
        }
    }

    /// Counts the sessions: on this worker, so that no session is counted twice that the worker creates or ends
    /// meanwhile.
    func count(_ link: inout Link) throws(PostgreSQLError) {
        let start = ContinuousClock.now
        let rows = try link.ask(Statements.total())
        total.record(rows.int(0, 0), took: start.duration(to: .now))
    }

    /// Tries whether an event could be committed now. A standby, a primary that is read-only, or a table without the
    /// right to insert refuses it.
    func probe(_ readiness: Readiness, _ link: inout Link) throws(JournalError) {
        guard !readiness.isRecent else { return }
        do throws(PostgreSQLError) {
            _ = try link.ask(Statements.probe(), Statements.endProbe(), within: .seconds(2))
            readiness.recordCommit()
        } catch {
            throw .unavailable
        }
    }

    private func fork(
        _ new: SessionInsertion, of parent: ForkPoint, _ link: inout Link
    ) -> Result<Void, JournalError> {
        guard let version = Int32(exactly: parent.version), version >= 0 else { return .failure(.noSuchSession) }
        var wake = new.record.wake
        if version > 0 {
            switch entry(version, of: parent.session, &link) {
            case .success(let entry): wake = new.record.wake(after: entry)
            case .failure(let error): return .failure(error)
            }
        }
        let checked = total.limit(new.limit, for: 1)
        let parentID = Parameter.text(parent.session.description)
        let fork = Statements.fork(
            .text(new.record.id.description), .text(new.record.app), .bytes(new.record.stored),
            .long(Int64(new.expiry.seconds)), parentID, .int(version), .int(Int32(clamping: new.record.begun.count)),
            .long(orNull: wake.map { Int64($0.seconds) }), .int(new.record.isWorkWithheld ? 1 : 0),
            .long(orNull: checked), .text(new.record.reference))
        let lockParent = Statements.lockParent(parentID)
        do throws(PostgreSQLError) {
            let rows =
                try checked == nil
                ? link.ask(lockParent, fork) : link.ask(lockParent, Statements.lockRoom(), fork)
            guard let answer = rows.last, answer.count == 1 else { return .failure(.outcomeUnknown) }
            guard answer.bool(0, 0) else { return .failure(.noSuchSession) }
            guard answer.bool(0, 1) else { return .failure(.tooManySessions) }
            total.add(1)
            return .success(())
        } catch {
            return .failure(error.ofCreation)
        }
    }

    /// Returns an entry of a session. It does not change while the session exists.
    private func entry(
        _ version: Int32, of session: SessionID, _ link: inout Link
    ) -> Result<JournalEntry, JournalError> {
        do throws(PostgreSQLError) {
            let rows = try link.ask(Statements.read(.text(session.description), .int(version - 1), .int(version)))
            guard let row = (0..<rows.count).first(where: { !rows.isNull($0, 0) }) else {
                return .failure(.noSuchSession)
            }
            do throws(UnreadableJSON) {
                return .success(try JournalEntry(version: Int(version), mark: nil, stored: rows.bytes(row, 2)))
            } catch {
                link.outages.unreadable(error.reason)
                return .failure(.damaged(version: Int(version)))
            }
        } catch {
            return .failure(.unavailable)
        }
    }

    func end(_ session: SessionID, at version: Int?, _ link: inout Link) throws {
        let id = Parameter.text(session.description)
        // A version that is out of bounds is never a session's, and neither is -1.
        let last = version.map { Parameter.int(Int32(exactly: $0) ?? -1) } ?? .null
        let rows = try link.ask(Statements.lockToEnd(id), Statements.end(id, last))
        guard let answer = rows.last else { throw JournalError.outcomeUnknown }
        guard answer.count == 1 else { throw JournalError.noSuchSession }
        guard answer.bool(0, 0) else { throw JournalError.conflict }
        total.add(-1)
    }

    func update(_ session: SessionRecord, replacing former: SessionRecord, _ link: inout Link) throws {
        let answer = try link.ask(
            Statements.updateRecord { parameters in
                parameters.append(.text(session.id.description))
                parameters.append(.bytes(session.stored))
                parameters.append(session.attributes)
                parameters.append(.bytes(former.stored))
            })
        guard answer.count == 1 else { throw JournalError.noSuchSession }
        guard answer.bool(0, 0) else { throw JournalError.conflict }
    }

    func record(_ crash: CrashNote, of session: SessionID, _ link: inout Link) throws {
        let answer = try link.ask(
            Statements.recordCrash(
                .text(session.description), .int(Int32(clamping: crash.version)), .int(crash.isRepeated ? 1 : 0),
                .bytes(Array(crash.event.utf8)), .bytes(Array(crash.appVersion.utf8))))
        guard answer.count == 1 else { throw JournalError.noSuchSession }
    }

    // MARK: Cleaning up

    /// The most sessions that are ended at once, and the most owners and entries of garbage that are deleted at once.
    private static let limits = (sessions: Int32(500), owners: Int32(200), entries: Int32(1_000))

    /// Ends some sessions whose expiry has passed, and deletes some entries that no session has any more.
    ///
    /// - Returns: Whether there is more to do.
    private func clean(
        by now: Timestamp, _ link: inout Link, _ ended: @Sendable (SessionID, _ app: String) -> Void
    ) -> Bool {
        do throws(PostgreSQLError) {
            try expiries.flush(&link)
            let rows = try link.ask(Statements.expire(.long(Int64(now.seconds)), .int(Self.limits.sessions)))
            total.add(-rows.count)
            for row in 0..<rows.count {
                if let session = SessionID(rows.text(row, 0)) { ended(session, rows.text(row, 1)) }
            }
            let isGarbageLeft = try collectGarbage(&link)
            return rows.count == Int(Self.limits.sessions) || isGarbageLeft
        } catch {
            return false
        }
    }

    private func collectGarbage(_ link: inout Link) throws(PostgreSQLError) -> Bool {
        do throws(PostgreSQLError) {
            let taken = try link.ask(Statement("BEGIN")(), Statements.lockGarbage(.int(Self.limits.owners)))
            let owners = taken.last?.texts ?? []
            guard !owners.isEmpty else {
                _ = try link.ask(Statement("COMMIT")())
                return false
            }
            let rows = try link.ask(
                Statements.deleteEntries(.texts(owners), .int(Self.limits.entries)),
                Statements.deleteGarbage(.texts(owners)), Statement("COMMIT")())
            return rows[0].int(0, 0) == Int(Self.limits.entries) || owners.count == Int(Self.limits.owners)
        } catch {
            // The transaction must not continue.
            link.abandon()
            throw error
        }
    }
}

extension PostgreSQLError {
    /// The journal's error for a creation that failed in this way. A session with this id may exist already.
    var ofCreation: JournalError {
        if case .refused(let message) = self, message.code == "23505" { .conflict } else { ofChange }
    }
}
