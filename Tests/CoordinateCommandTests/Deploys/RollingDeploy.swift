import CoordinateTesting
import Foundation
import SeededGenerator
import SessionFixtures

/// One run: clients at work behind a proxy, while another release takes the place of the first, server by server.
struct RollingDeploy {
    /// A session in the file of places that `deploy-check --record` writes.
    private struct Recorded {
        let version: Int
        let path: String
        let total: String
    }

    /// The end of a session.
    private enum Fate: CaseIterable {
        /// It is where its client saw it last.
        case kept
        /// It is quarantined, or elsewhere.
        case lost
        /// Its client did not see its last version.
        case unseen
    }

    private static let clients = 6
    /// The number of events in a session before the deploy.
    private static let shopping = 2...12
    /// The number of events acknowledged between two steps of the deploy.
    private static let breather = 20...60
    /// The number of kills before each step.
    private static let kills = 3

    let release: DeployedRelease
    let seed: UInt64
    let fleet: Fleet
    let ledger = TortureLedger()
    private let places = SeenPlaces()

    init(_ release: DeployedRelease, seed: UInt64) async throws {
        self.release = release
        self.seed = seed
        fleet = try await Fleet(.serversOnPostgreSQL, of: "release-server", environment: ["RELEASE": "first"])
    }

    private func client(_ name: String, _ number: Int) -> TortureClient {
        TortureClient(name, fleet, ledger, seed: seed &* 1_000_003 &+ UInt64(number))
    }

    /// Runs the deploy, and returns the result in one line.
    ///
    /// - Parameter count: The number of sessions before the deploy. Half of them rest while it happens.
    func run(sessions count: Int) async throws -> String {
        try await Proxy.run(before: fleet.urls) { url in
            fleet.hide(behind: url)
            let sessions = try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<Self.clients {
                    let share = count / Self.clients + (number < count % Self.clients ? 1 : 0)
                    group.addTask { try await begin(share, by: number) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            return try await withFolder { folder in
                let file = folder.appending(path: "places.ndjson")
                var report: JSON = .null
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, own) in sessions.enumerated() {
                        group.addTask {
                            var client = client("client \(number)", 100 + number)
                            try await client.shop(in: Array(own.prefix(own.count / 2)), places)
                        }
                    }
                    defer { ledger.finish() }
                    try await ledger.progress(by: 20)
                    report = try await deploy(file)
                    ledger.finish()
                    try await group.waitForAll()
                }
                return try await check(report, against: try recorded(in: file))
            }
        }
    }

    /// Creates sessions, and uses each for a while.
    private func begin(_ count: Int, by number: Int) async throws -> [String] {
        var client = client("client \(number)", number)
        var sessions: [String] = []
        for _ in 0..<count {
            let session = try await client.begin()
            for _ in 0..<Int.random(in: Self.shopping, using: &client.generator) {
                try await client.act(in: session, places)
            }
            sessions.append(session)
        }
        return sessions
    }

    // MARK: The deploy

    /// Records the places with the first release, compares them with the new one, and replaces the servers. Some are
    /// killed in the meantime.
    ///
    /// - Returns: The report of `deploy-check --against`.
    private func deploy(_ file: URL) async throws -> JSON {
        var generator = SeededGenerator(state: seed)
        let record = try await deployCheck("first", "--record", file.path)
        guard record.status == 0 else { throw Fleet.Failure(description: "--record: \(record)") }
        let against = try await deployCheck(release.rawValue, "--against", file.path, "--format", "json")
        let report = try JSONDecoder().decode(JSON.self, from: Data(against.output.utf8))
        let lost = report["lost"]?.int ?? -1
        if against.status != (lost > 0 ? 1 : 0) {
            ledger.violation("--against ended with \(against.status): \(against.output) \(against.errors)")
        }
        for place in 0..<fleet.count {
            try await strike(&generator)
            let status = try await fleet.replace(place, in: ["RELEASE": release.rawValue])
            if status != 0 { ledger.violation("A server ended with \(status ?? -1)") }
            try await ledger.progress(by: Int.random(in: Self.breather, using: &generator))
        }
        try await strike(&generator)
        return report
    }

    /// Kills servers, one after another, and starts each again in its release.
    private func strike(_ generator: inout SeededGenerator) async throws {
        for _ in 0..<Self.kills {
            let meanwhile = Int.random(in: 0...10, using: &generator)
            let ended = try await fleet.strike(&generator) { _ in try await ledger.progress(by: meanwhile) }
            ledger.count(.kills, by: ended.kills)
            try await ledger.progress(by: Int.random(in: Self.breather, using: &generator))
        }
    }

    private func deployCheck(
        _ release: String, _ arguments: String...
    ) async throws -> (status: Int32, output: String, errors: String) {
        try await Program.wholeOutcome(
            of: ["deploy-check", fleet.journal] + arguments, of: "release-server", environment: ["RELEASE": release])
    }

    private func recorded(in file: URL) throws -> [String: Recorded] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        return try lines.reduce(into: [:]) { recorded, line in
            let place = try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
            recorded[place["session"]?.string ?? ""] = Recorded(
                version: place["version"]?.int ?? -1, path: place["path"]?.string ?? "",
                total: place["facts"]["total"]?.string ?? "")
        }
    }

    // MARK: Checks

    /// Checks that each session is at its place, or is one that the release loses.
    ///
    /// - Returns: The result in one line.
    private func check(_ report: JSON, against recorded: [String: Recorded]) async throws -> String {
        var checker = client("checker", 300)
        var fates: [Fate: Int] = [:]
        var (named, later) = (0, 0)
        for session in ledger.sessions {
            try await checker.check(session)
            let events = try await checker.journal(of: session) ?? []
            let isLost = release.loses(events)
            let wasNamed = recorded[session].map { check(session, events, against: $0) } ?? false
            named += wasNamed ? 1 : 0
            later += isLost && !wasNamed ? 1 : 0
            fates[try await fate(of: session, isLost: isLost, by: &checker), default: 0] += 1
        }
        checkCounts(report, sessions: recorded.count, named: named, later: later)
        let counts = Fate.allCases.map { "\($0) \(fates[$0] ?? 0)" }.joined(separator: ", ")
        return "Deploy of \(release), seed \(seed): sessions \(ledger.sessions.count), kills \(ledger[.kills]), "
            + "events \(ledger[.acknowledged]), \(counts), named \(named)"
    }

    /// Checks a line of the file of places against the session's journal.
    ///
    /// - Returns: Whether the release loses the session in the version that was recorded.
    private func check(_ session: String, _ events: [Document.JournalEntry], against recorded: Recorded) -> Bool {
        let events = events.prefix(recorded.version)
        let isLost = release.loses(events)
        if events.last?.path ?? "/shelf" != recorded.path {
            ledger.violation("\(session) is recorded at \(recorded.path), version \(recorded.version)")
        }
        if release == .emptied, isLost != (recorded.total != "0.00") {
            ledger.violation("\(session) is recorded with a total of \(recorded.total) after \(events.map(\.event))")
        }
        return isLost
    }

    /// Compares the place of a session with the place that its client saw last.
    ///
    /// - Parameter isLost: Whether the release loses the session.
    private func fate(of session: String, isLost: Bool, by checker: inout TortureClient) async throws -> Fate {
        let (answer, _) = try await checker.ask("GET", "/sessions/\(session)/route")
        guard answer.status == 200 else {
            if answer.status != 409 || release != .moved || !isLost { checker.report("looking at \(session)", answer) }
            return .lost
        }
        let route = try answer.decode(Document.Route.self)
        guard let seen = places[session], seen.version == route.version else { return .unseen }
        if seen.place == Place(route) { return .kept }
        if !isLost { ledger.violation("\(session) was at \(seen.place), and is at \(Place(route))") }
        return .lost
    }

    /// Checks the numbers of the report.
    ///
    /// - Parameters:
    ///   - named: The number of recorded sessions that the release loses.
    ///   - later: The number of sessions that it loses because of events after they were recorded.
    private func checkCounts(_ report: JSON, sessions: Int, named: Int, later: Int) {
        // Quarantined sessions count with all of their events so far.
        let expected = named...(named + (release == .moved ? later : 0))
        let counts = ["sessions", "lost", "changed", "differs", "unreadable"].map { report[$0]?.int ?? -1 }
        let quarantined = release == .moved ? expected : 0...0
        if counts[0] < sessions || !expected.contains(counts[1]) || !quarantined.contains(counts[3]) || counts[4] != 0 {
            ledger.violation("Of \(sessions) sessions, \(expected) are lost, and the report says \(report)")
        }
        if release != .moved, report["compared"]?.int != sessions {
            ledger.violation("\(sessions) sessions are recorded, and the report says \(report)")
        }
        let changed: [DeployedRelease: Int] = [.retitled: sessions, .renamed: 0]
        if let changed = changed[release], counts[2] != changed {
            ledger.violation("\(changed) sessions changed, and the report says \(report)")
        }
    }
}
