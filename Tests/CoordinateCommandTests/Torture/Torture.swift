import SeededGenerator

/// One run: clients at work, and servers that are ended again and again.
struct Torture {
    let variant: Fleet.Variant
    let seed: UInt64
    let fleet: Fleet
    let ledger: TortureLedger

    private static let writers = 12
    private static let streams = 6
    private static let sharedSessions = 3
    /// The number of events acknowledged between two ends.
    private static let breather = 5...80

    init(_ variant: Fleet.Variant, seed: UInt64) async throws {
        self.variant = variant
        self.seed = seed
        fleet = try await Fleet(variant)
        ledger = TortureLedger()
    }

    private func client(_ name: String, _ number: Int) -> TortureClient {
        TortureClient(name, fleet, ledger, seed: seed &* 1_000_003 &+ UInt64(number))
    }

    func run(kills: Int) async throws {
        var host = client("host", 400)
        for _ in 0..<Self.sharedSessions { ledger.share(try await host.begin()) }
        try await withThrowingTaskGroup(of: Void.self) { streams in
            for number in 0..<Self.streams {
                streams.addTask {
                    var client = client("stream \(number)", 100 + number)
                    await client.follow(number, sharing: Self.sharedSessions)
                }
            }
            defer { streams.cancelAll() }
            try await withThrowingTaskGroup(of: Void.self) { writers in
                for number in 0..<Self.writers {
                    writers.addTask {
                        var client = client("client \(number)", number)
                        try await client.write(sharing: Self.sharedSessions)
                    }
                }
                defer { ledger.finish() }
                try await strike(kills)
                ledger.finish()
                try await writers.waitForAll()
            }
            try await checkStreams()
        }
        try await compareAll(1)
        let statuses = try await fleet.restart()
        if statuses.contains(where: { $0 != 0 }) { ledger.violation("Servers ended with \(statuses)") }
        try await compareAll(2)
    }

    // MARK: Ends

    private func strike(_ kills: Int) async throws {
        var generator = SeededGenerator(state: seed)
        var checker = client("checker", 200)
        try await ledger.progress(by: 50)
        while ledger[.kills] < kills {
            try await ledger.progress(by: Int.random(in: Self.breather, using: &generator))
            let meanwhile = Int.random(in: 0...20, using: &generator)
            let ended = try await fleet.strike(&generator) { isServed in
                if isServed { try await ledger.progress(by: meanwhile) }
            }
            ledger.count(.kills, by: ended)
            if let session = ledger.sessions.randomElement(using: &generator) { try await checker.check(session) }
        }
        try await ledger.progress(by: 50)
    }

    // MARK: Checks

    /// Waits until each stream has received the last version of its session, without gaps.
    private func checkStreams() async throws {
        try await ledger.wait("streams are behind: \(ledger.streams)") {
            ledger.streams.values.allSatisfy { session, version in
                let history = ledger.history(of: session)
                return history.hasEnded || version >= history.newest
            }
        }
    }

    private func compareAll(_ round: Int) async throws {
        let sessions = ledger.sessions
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var client = client("checker \(worker)", 300 + round * 10 + worker)
                    for session in stride(from: worker, to: sessions.count, by: 4).map({ sessions[$0] }) {
                        try await client.compare(session)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The result in one line.
    var summary: String {
        let counts = TortureLedger.Count.allCases.map { "\($0) \(ledger[$0])" }.joined(separator: ", ")
        return "Torture, \(variant), seed \(seed): \(counts)"
    }
}
