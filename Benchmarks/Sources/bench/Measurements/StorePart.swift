import Foundation
import Loopback

/// A store alone and a bare loop in C that commits the same groups, in turn.
struct StorePart {
    private static let sessions = 1_000

    /// The results of one store.
    struct Row {
        let store: Store
        /// The size of an entry, in bytes.
        let entrySize: Int
        /// The entries per commit.
        let group: Spread
        /// The milliseconds per commit.
        let commitTime: Spread
        /// Entries per second, one value per round.
        let own: Spread
        let bare: Spread

        /// The ratio to the loop in the same round.
        var ratio: Spread { own.ratio(to: bare) }
    }

    let stage: Stage
    let room: StoreRoom

    func measure() throws -> [Row] {
        let stores = room.stores.filter { $0 != .memory }
        var rounds = stores.map { _ in [(own: [Double], bare: [Double])]() }
        for _ in 0..<stage.rounds {
            for (index, store) in stores.enumerated() {
                let own = try run("store-loop", [room.makeAddress(of: store), "\(Self.sessions)", "\(seconds)"])
                let address = try room.makeAddress(of: store)
                _ = try run("store-loop", [address, "\(Self.sessions)", "0"])
                let group = max(1, Int(own[1].rounded()))
                let bare = try run("store-bare", ["loop", address, "\(group)", "\(seconds)"])
                rounds[index].append((own, bare))
                Console.say("  \(store.title): \(Int(own[0])) entries/s, in C \(Int(bare[0])), \(group) a commit")
            }
        }
        return stores.enumerated().map { index, store in
            func spread(_ value: ((own: [Double], bare: [Double])) -> Double) -> Spread {
                Spread(rounds[index].map(value))
            }
            return Row(
                store: store, entrySize: Int(rounds[index][0].bare[1]), group: spread { $0.own[1] },
                commitTime: spread { $0.own[2] * 1_000 }, own: spread { $0.own[0] }, bare: spread { $0.bare[0] })
        }
    }

    /// The times of a page by an attribute, in microseconds.
    struct Pages {
        let store: Store
        let sessions: Int
        let time: Spread
        /// The ratio to the store with the fewest sessions.
        let ratio: Spread
    }

    /// Measures pages by attribute among several numbers of sessions.
    func measurePages(_ counts: [Int]) throws -> [Pages] {
        try room.stores.filter { $0 != .memory }.flatMap { store in
            let times = try counts.map { count in
                Spread(try run("store-loop", [room.makeAddress(of: store), "\(count)", "pages"]))
            }
            return zip(counts, times).map { count, time in
                Pages(store: store, sessions: count, time: time, ratio: time.ratio(to: times[0]))
            }
        }
    }

    /// Long enough for filing entries and copying logs several times.
    private var seconds: Int { stage.seconds * 2 }

    /// Runs a program and returns the numbers that it writes.
    private func run(_ program: String, _ arguments: [String]) throws -> [Double] {
        let text = try Program(at: stage.peers.appending(path: program)).run(arguments)
        return text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }
}
