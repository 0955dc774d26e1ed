import Foundation
import Loopback

/// The rates that 64 clients reach, by the server's journal: acknowledged events per second, and how long each takes.
struct JournalRates {
    static let clients = 64

    /// The results of one journal.
    struct Row {
        let store: Store
        let sessions: Int
        /// Events per second, one value per round.
        let rate: Spread
        /// The ratio to the journal in memory in the same round.
        let ratio: Spread
        /// The entries per commit, and its milliseconds. `nil` if nothing is committed.
        let commits: (group: Spread, time: Spread)?
        /// The 50th, 99th and 99.9th percentiles in milliseconds, at half of the rate.
        let percentiles: [Spread]
        /// What the machine allows at the same rate. Empty for a single session, and if there is no such measurement.
        let limits: [StoreLimits.Round]
    }

    /// A server with sessions, and its results of each round.
    private struct Site {
        let store: Store
        let server: ServerProcess
        let sessions: Int
        /// The file of requests. `nil` for a single session, which is new each time because a history has a limit.
        let file: URL?
        var rates: [Double] = []
        var groups: [Double] = []
        var times: [Double] = []
        var percentiles: [[Double]] = []
        var limits: [StoreLimits.Round] = []

        func metric(_ name: String) throws -> Double {
            try LoopbackClient(port: server.port).metrics()["coordinate_journal_\(name)"] ?? .nan
        }
    }

    let stage: Stage
    let room: StoreRoom

    /// Measures with several numbers of sessions. A single session has one entry per commit, if the journal commits.
    func measure(sessions counts: [Int]) throws -> [Row] {
        try counts.flatMap { count in
            var sites = try room.stores.map { store in try site(of: store, sessions: count) }
            // The first round only warms up.
            for round in 0...stage.rounds {
                for index in sites.indices { try run(&sites[index], isWarmingUp: round == 0) }
            }
            for _ in 0..<stage.fewRounds {
                for index in sites.indices { try runAtHalfRate(&sites[index]) }
            }
            return sites.map { row(of: $0, nextTo: sites[0]) }
        }
    }

    private func site(of store: Store, sessions count: Int) throws -> Site {
        let server = try stage.coordinate(journal: room.makeAddress(of: store))
        let file = count > 1 ? try stage.events(to: count, on: server) : nil
        return Site(store: store, server: server, sessions: count, file: file)
    }

    private func run(_ site: inout Site, isWarmingUp: Bool) throws {
        let file = try site.file ?? stage.events(to: site.sessions, on: site.server)
        let before = try LoopbackClient(port: site.server.port).metrics()
        let run = try stage.wrk().run(
            file, against: site.server, seconds: stage.seconds, connections: Self.clients)
        let after = try LoopbackClient(port: site.server.port).metrics()
        func change(_ name: String) -> Double {
            (after["coordinate_journal_\(name)"] ?? .nan) - (before["coordinate_journal_\(name)"] ?? .nan)
        }
        guard !isWarmingUp else { return }
        site.rates.append(run.perSecond)
        let commits = change("commits_total")
        site.groups.append(change("group_size_sum") / commits)
        site.times.append(change("commit_seconds_sum") / commits * 1_000)
        Console.say("  \(site.store.title), \(site.sessions.grouped) sessions: \(Int(run.perSecond)) events/s")
    }

    private func runAtHalfRate(_ site: inout Site) throws {
        let file = try site.file ?? stage.events(to: site.sessions, on: site.server)
        let (rate, seconds) = (Spread(site.rates).median / 2, stage.seconds * 2)
        let before = try (site.metric("commits_total"), site.server.writtenBytes())
        site.percentiles.append(
            try stage.wrk().percentiles(
                of: file, against: site.server, rate: rate, seconds: seconds, connections: Self.clients))
        let after = try (site.metric("commits_total"), site.server.writtenBytes())
        guard site.sessions > 1, after.0 > before.0 else { return }
        let commits = after.0 - before.0
        let load = StoreLimits.Load(
            events: rate, commits: commits / Double(seconds), bytes: max(1, (after.1 - before.1) / commits))
        if let limit = try StoreLimits(stage: stage, room: room).measure(site.store, with: load) {
            site.limits.append(limit)
        }
    }

    private func row(of site: Site, nextTo memory: Site) -> Row {
        Row(
            store: site.store, sessions: site.sessions, rate: Spread(site.rates),
            ratio: Spread(site.rates).ratio(to: Spread(memory.rates)),
            commits: site.store == .memory ? nil : (Spread(site.groups), Spread(site.times)),
            percentiles: (0..<3).map { place in Spread(site.percentiles.map { $0[place] }) }, limits: site.limits)
    }
}
