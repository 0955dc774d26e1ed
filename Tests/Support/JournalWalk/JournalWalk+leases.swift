internal import Coordinate
internal import CoordinateSessions
internal import SessionFixtures

/// Steps that lease sessions with pending work.
extension JournalWalk {
    mutating func takeLeaseStep() async {
        switch random(0...9) {
        case 0..<3: await leaseDue(by: .random(using: &generator), of: Self.apps[random(0...1)])
        case 3..<6: await lease()
        case 6..<8: await renewLeases()
        default: endLeases()
        }
    }

    /// Leases all due sessions, so that the set of leases is known.
    mutating func leaseAll() async {
        for app in Self.apps { await leaseDue(by: Timestamp(seconds: .max), of: app) }
    }

    private mutating func leaseDue(by moment: Timestamp, of app: String) async {
        // A shared journal uses its own clock if that is behind. This moment is in 2023.
        let now = journal.isShared ? min(moment, Timestamp(seconds: 1_700_000_000)) : moment
        // A fork may be due at the same time as its parent, so their order is not defined.
        await compare("lease what is due by \(now.seconds) of \(app)") {
            Set(try await $0.leaseDue(by: now, of: app, limit: 1_000))
        }
    }

    private mutating func lease() async {
        let session = anySession()
        await compare("lease \(name(session))") { try await $0.lease(session) }
    }

    private mutating func renewLeases() async {
        let sessions = (0...random(0...12)).map { _ in anySession() }
        await compare("renew leases of \(sessions.map(name))") {
            Set(try await $0.renewLeases(of: sessions))
        }
    }

    private mutating func endLeases() {
        let sessions = (0...random(0...5)).map { _ in anySession() }
        record("end leases of \(sessions.map(name))")
        model.endLeases(of: sessions)
        journal.endLeases(of: sessions)
    }
}
