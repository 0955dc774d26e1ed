import Foundation
import Loopback

/// What the machine allows a journal with the same load: the disk alone, and PostgreSQL without a journal.
struct StoreLimits {
    /// The load of a journal, per second.
    struct Load {
        let events: Double
        let commits: Double
        /// The bytes that a commit writes to files.
        let bytes: Double
    }

    /// The results of one round.
    struct Round {
        let load: Load
        /// The most per second.
        let highest: Double
        /// The median, the 99th percentile and the maximum in milliseconds, with the load.
        let times: [Double]
    }

    let stage: Stage
    let room: StoreRoom

    /// Measures what a store needs most: writes to the disk for SQLite, and inserts for PostgreSQL. `nil` for memory, and
    /// without `pgbench`.
    func measure(_ store: Store, with load: Load) throws -> Round? {
        switch store {
        case .memory: return nil
        case .sqlite:
            let (highest, _) = try write(load.bytes, perSecond: 100_000, for: stage.seconds)
            return Round(
                load: load, highest: highest, times: try write(load.bytes, perSecond: load.commits, for: seconds).times)
        case .postgreSQL:
            guard let inserts = try Inserts(in: stage.temporary, at: room.makeAddress(of: store)) else { return nil }
            let highest = try inserts.rate(for: stage.seconds)
            return Round(load: load, highest: highest, times: try inserts.times(perSecond: load.events, for: seconds))
        }
    }

    /// As long as a journal is measured.
    private var seconds: Int { stage.seconds * 2 }

    /// Writes to a file and synchronizes it.
    private func write(_ bytes: Double, perSecond rate: Double, for seconds: Int) throws -> (Double, times: [Double]) {
        let file = stage.temporary.appending(path: "disk").path()
        let text = try Program(at: stage.peers.appending(path: "store-bare")).run(
            ["disk", file, "\(Int(bytes))", rate.text(1), "\(seconds)"])
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        return (numbers[0], Array(numbers.dropFirst()))
    }
}

/// Inserts of one row each, by `pgbench` with as many clients as the journals have.
private struct Inserts {
    private let program: Program
    private let folder: URL
    private let address: String

    /// Creates the table. `nil` if `pgbench` is not installed.
    init?(in folder: URL, at address: String) throws {
        guard let program = Program(named: "pgbench") else { return nil }
        self.program = program
        self.folder = folder
        self.address = address
        _ = try run("CREATE TABLE inserts (id bigserial PRIMARY KEY, content text NOT NULL)", ["-t", "1"])
    }

    /// The most inserts per second.
    func rate(for seconds: Int) throws -> Double {
        // "tps = 12345.678901 (without initial connection time)"
        let words = try insert(["-T", "\(seconds)"]).split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(of: "tps"), let rate = Double(words[place + 2]) else {
            throw BenchmarkError("pgbench wrote no rate.")
        }
        return rate
    }

    /// The median, the 99th percentile and the maximum in milliseconds, at a rate.
    func times(perSecond rate: Double, for seconds: Int) throws -> [Double] {
        let log = folder.appending(path: "inserts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
        _ = try insert(
            ["-T", "\(seconds)", "-R", rate.text(1), "--log", "--log-prefix", log.appending(path: "log").path()])
        // "client number time script second microseconds lag": the time is in microseconds, since the insert was due.
        let lines = try FileManager.default.contentsOfDirectory(at: log, includingPropertiesForKeys: nil).flatMap {
            try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").map { $0.split(separator: " ") }
        }
        // In the first second, clients still prepare their statements.
        let times = lines.filter { $0[4] != lines[0][4] }.compactMap { Double($0[2]) }.map { $0 / 1_000 }.sorted()
        guard let last = times.last else { throw BenchmarkError("pgbench wrote no times.") }
        return [times[times.count / 2], times[times.count * 99 / 100], last]
    }

    /// Inserts rows of the size of an entry.
    private func insert(_ arguments: [String]) throws -> String {
        try run(
            "INSERT INTO inserts (content) VALUES (repeat('x', 250))",
            ["-c", "\(JournalRates.clients)", "-M", "prepared"] + arguments)
    }

    private func run(_ statement: String, _ arguments: [String]) throws -> String {
        let script = folder.appending(path: "pgbench.sql")
        try "\(statement);\n".write(to: script, atomically: true, encoding: .utf8)
        return try program.run(["-n", "-f", script.path()] + arguments + [address])
    }
}
