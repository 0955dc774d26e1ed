import Foundation
import Loopback

/// Coordinate and an ordinary program with Hummingbird that does the same work, in turn: with sessions in memory, and
/// with each event in an SQLite file before it is answered.
struct Peers {
    /// The values of one program, one per round.
    struct Rates {
        /// Requests per second.
        var perSecond: [Double] = []
        /// The microseconds of the server's processor time per request.
        var cost: [Double] = []
    }

    /// A kind of request to both programs.
    struct Row {
        let workload: Workload
        let isDurable: Bool
        let own: Rates
        let peer: Rates
    }

    /// All results.
    struct Result {
        let rows: [Row]
        /// The resident bytes per session after an event and a read.
        let memory: (own: Double, peer: Double)
        /// The sizes of the bodies.
        let sizes: (own: [Workload: Int], peer: [Workload: Int])
    }

    /// A server with its sessions, and what was measured.
    private struct Site {
        let isDurable: Bool
        let server: ServerProcess
        let sessions: [RacingSession]
        let files: [Workload: URL]
        var rates: [Workload: Rates] = [:]
        /// The number of events that the load generator saw answered.
        var answered = 0
    }

    private static let sessions = 1_000

    let stage: Stage

    func measure() throws -> Result {
        let sizes = try check()
        // Coordinate and its peer, in memory and then durable.
        var sites = try [false, true].flatMap { isDurable in
            let file = isDurable ? stage.temporary.appending(path: "peers.sqlite") : nil
            return try [
                site(on: stage.coordinate(journal: file.map { "sqlite:\($0.path()).own" } ?? "memory"), isDurable),
                site(on: stage.hummingbirdApp(file: file), isDurable),
            ]
        }
        // The first round only warms up.
        for round in 0...stage.rounds {
            for workload in [Workload.full, .minimal, .route] {
                for index in sites.indices where workload.isEvent || !sites[index].isDurable {
                    try run(workload, on: &sites[index], isWarmingUp: round == 0)
                }
            }
        }
        for site in sites { try checkVersions(of: site) }
        let rows = [0, 2].flatMap { index in
            [Workload.full, .minimal, .route].compactMap { workload -> Row? in
                guard let own = sites[index].rates[workload], let peer = sites[index + 1].rates[workload] else {
                    return nil
                }
                return Row(workload: workload, isDurable: sites[index].isDurable, own: own, peer: peer)
            }
        }
        sites = []
        return Result(
            rows: rows, memory: (try memory(of: stage.coordinate()), try memory(of: stage.hummingbirdApp())),
            sizes: sizes)
    }

    private func site(on server: ServerProcess, _ isDurable: Bool) throws -> Site {
        let client = try LoopbackClient(port: server.port)
        let sessions = try (0..<Self.sessions).map { _ in try RacingSession(on: client) }
        var files: [Workload: URL] = [:]
        for workload in [Workload.route, .minimal, .full] {
            files[workload] = try stage.wrk().prepare(
                workload.requests(to: sessions, over: client), as: "peers-\(workload)-\(server.port)")
        }
        return Site(isDurable: isDurable, server: server, sessions: sessions, files: files)
    }

    private func run(_ workload: Workload, on site: inout Site, isWarmingUp: Bool) throws {
        guard let file = site.files[workload] else { return }
        let run = try stage.wrk().run(
            file, against: site.server, seconds: isWarmingUp ? 1 : stage.seconds, connections: JournalRates.clients)
        if workload.isEvent { site.answered += run.requests }
        guard !isWarmingUp else { return }
        site.rates[workload, default: Rates()].perSecond.append(run.perSecond)
        site.rates[workload, default: Rates()].cost.append(run.cost)
        Console.say(
            "  \(site.server.name), \(site.isDurable ? "durable" : "memory"), \(workload.title): "
                + "\(Int(run.perSecond))/s, \(run.cost.text(1)) µs")
    }

    /// Measures the resident growth per created session that got its three events and was read once.
    private func memory(of server: ServerProcess) throws -> Double {
        let client = try LoopbackClient(port: server.port)
        func create(_ count: Int) throws {
            for _ in 0..<count {
                let session = try RacingSession(on: client)
                try client.send(HTTPText.get("/route", headers: [session.session]))
            }
        }
        // Data that the first sessions create does not belong to a session.
        try create(1_000)
        let count = stage.isQuick ? 2_000 : 20_000
        let before = try server.residentMemory()
        try create(count)
        let bytes = Double(try server.residentMemory() - before) / Double(count)
        Console.say("  \(server.name): \(Int(bytes)) bytes per session")
        return bytes
    }
}

extension Peers {
    /// Checks that both programs do the work, and that their documents have the same sizes, to a tenth.
    private func check() throws -> (own: [Workload: Int], peer: [Workload: Int]) {
        let own = try PeerCheck(server: stage.coordinate()).run()
        let peer = try PeerCheck(server: stage.hummingbirdApp()).run()
        for (workload, size) in own.sizes {
            let ratio = Double(peer.sizes[workload] ?? 0) / Double(size)
            guard abs(ratio - 1) <= 0.1 else {
                throw BenchmarkError(
                    "\(workload.title): the peer sends \(peer.sizes[workload] ?? 0) bytes, and Coordinate \(size).")
            }
        }
        let file = stage.temporary.appending(path: "check.sqlite")
        try checkDurability { try stage.coordinate(journal: "sqlite:\(file.path()).own") }
        try checkDurability { try stage.hummingbirdApp(file: file) }
        return (own.sizes, peer.sizes)
    }

    /// Checks that events survive when the server is killed.
    private func checkDurability(of start: () throws -> ServerProcess) throws {
        let server = try start()
        let seen = try PeerCheck(server: server).run()
        server.stop()
        let next = try start()
        defer { next.stop() }
        try PeerCheck(server: next).expect(
            seen.session, isAt: seen.version, isFavorite: true, of: "\(next.name) after it was killed")
    }

    /// Checks that no answered event is missing.
    private func checkVersions(of site: Site) throws {
        let check = try PeerCheck(server: site.server)
        // Each session began with three events.
        let applied = try site.sessions.reduce(0) { try $0 + check.version(of: $1) - 3 }
        guard applied >= site.answered else {
            throw BenchmarkError("\(site.server.name) answered \(site.answered) events and applied \(applied).")
        }
    }
}
