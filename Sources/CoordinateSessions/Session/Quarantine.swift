/// A reason for which a session changes no more, until another version of its app takes it up.
package indirect enum Quarantine: Equatable, Sendable {
    /// It does not replay as it was recorded.
    case changed(AppChange)
    /// The app ended the process again and again, as it made the same version of it.
    case crashed(CrashNote)

    /// Nil where an error is no reason for that.
    init?(_ error: SessionError) {
        switch error {
        case .appChanged(let change): self = .changed(change)
        case .crashed(let crash): self = .crashed(crash)
        default: return nil
        }
    }

    /// The first version that cannot be looked at. Those before it can.
    var version: Int {
        switch self {
        case .changed(let change): change.version
        case .crashed(let crash): crash.version
        }
    }

    var error: SessionError {
        switch self {
        case .changed(let change): .appChanged(change)
        case .crashed(let crash): .crashed(crash)
        }
    }

    var isOfCrashes: Bool { if case .crashed = self { true } else { false } }
}

extension SessionHost {
    /// The reason for which a session that comes into memory is left as it is, as far as that is known before it is woken.
    func quarantine(of head: SessionHead) -> Quarantine? {
        guard let crash = app.repeatedCrash(in: head) else { return nil }
        guard app.onChange == .quarantine else {
            app.report("A session goes on though \(crash).")
            return nil
        }
        noteQuarantine(.crashed(crash))
        return .crashed(crash)
    }

    func noteQuarantine(_ reason: Quarantine) {
        counters.countQuarantine()
        switch reason {
        case .changed(let change):
            app.report("A session does not replay as it was recorded, and is left as it is: \(change)")
        case .crashed(let crash): app.report("A session is left as it is: \(crash).")
        }
    }
}

extension HostedApp {
    /// The crashes because of which this app leaves a session as it is; nil where it takes it up.
    ///
    /// A new event that has crashed counts for as long as no other is recorded in its place; an old one, always, as it is
    /// there to stay. Another version of the app tries for itself.
    func crash(keepingFrom head: SessionHead) -> CrashNote? {
        onChange == .quarantine ? repeatedCrash(in: head) : nil
    }

    /// The same, whether it is taken up all the same or not.
    fileprivate func repeatedCrash(in head: SessionHead) -> CrashNote? {
        guard let crash = head.crash, crash.times >= CrashNote.limit, crash.appVersion == version,
            crash.isRepeated || crash.version > head.version
        else { return nil }
        return crash
    }
}
