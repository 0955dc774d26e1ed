/// The reason why a session accepts no more events, until another version of its app continues it.
package indirect enum Quarantine: Equatable, Sendable {
    /// The session does not replay as it was recorded.
    case changed(AppChange)
    /// The app crashed the process repeatedly, in the same turn of the session.
    case crashed(CrashNote)
    /// An entry cannot be read.
    case damaged(version: Int)

    /// Creates the reason from an error; `nil` if the error is not a reason for a quarantine.
    init?(_ error: SessionError) {
        switch error {
        case .appChanged(let change): self = .changed(change)
        case .crashed(let crash): self = .crashed(crash)
        case .damaged(let version): self = .damaged(version: version)
        default: return nil
        }
    }

    /// The first version that cannot be shown. Earlier versions can.
    var version: Int {
        switch self {
        case .changed(let change): change.version
        case .crashed(let crash): crash.version
        case .damaged(let version): version
        }
    }

    package var error: SessionError {
        switch self {
        case .changed(let change): .appChanged(change)
        case .crashed(let crash): .crashed(crash)
        case .damaged(let version): .damaged(version: version)
        }
    }

    var state: SessionSummary.State { if case .damaged = self { .damaged } else { .quarantined } }

    var isOfCrashes: Bool { if case .crashed = self { true } else { false } }
}

extension SessionHost {
    /// The reason why a session that comes into memory is quarantined, as far as it is known before the session wakes.
    func quarantine(of head: SessionHead) -> Quarantine? {
        guard let reason = app.quarantine(of: head) else {
            if let crash = app.repeatedCrash(in: head) { app.report("A session continues although \(crash).") }
            return nil
        }
        recordQuarantine(reason)
        return reason
    }

    func recordQuarantine(_ reason: Quarantine) {
        counters.countQuarantine()
        switch reason {
        case .changed(let change):
            app.report("A session does not replay as recorded and is quarantined: \(change)")
        case .crashed(let crash): app.report("A session is quarantined: \(crash).")
        case .damaged(let version):
            app.report("A session is quarantined: \(SessionError.damaged(version: version).description)")
        }
    }
}

extension HostedApp {
    /// The reason why this app quarantines a session, as far as it is known before the session wakes.
    package func quarantine(of head: SessionHead) -> Quarantine? {
        if let version = head.damage { return .damaged(version: version) }
        return crash(keepingFrom: head).map(Quarantine.crashed)
    }

    /// The crashes because of which this app quarantines a session; `nil` if the session continues.
    ///
    /// A crash in a new event counts until another event is recorded in its place; one in a recorded event always
    /// counts. Another version of the app tries again.
    func crash(keepingFrom head: SessionHead) -> CrashNote? {
        onChange == .quarantine ? repeatedCrash(in: head) : nil
    }

    /// The repeated crashes, whether the policy of the app accepts them or not.
    fileprivate func repeatedCrash(in head: SessionHead) -> CrashNote? {
        guard let crash = head.crash, crash.times >= CrashNote.limit, crash.appVersion == version,
            crash.isRepeated || crash.version > head.version
        else { return nil }
        return crash
    }
}
