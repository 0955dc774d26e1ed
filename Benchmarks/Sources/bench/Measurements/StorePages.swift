import Foundation
import Loopback

/// Pages of sessions by an attribute, from a store without a server.
struct StorePages {
    /// The times of a page, in microseconds.
    struct Row {
        let store: Store
        let sessions: Int
        let time: Spread
        /// The ratio to the store with the fewest sessions.
        let ratio: Spread
    }

    let stage: Stage
    let room: StoreRoom

    /// Measures stores with several numbers of sessions.
    func measure(_ counts: [Int]) throws -> [Row] {
        try room.stores.filter { $0 != .memory }.flatMap { store in
            let times = try counts.map { count in
                let program = Program(at: stage.peers.appending(path: "store-pages"))
                let text = try program.run([room.makeAddress(of: store), "\(count)"])
                return Spread(text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) })
            }
            return zip(counts, times).map { count, time in
                Row(store: store, sessions: count, time: time, ratio: time.ratio(to: times[0]))
            }
        }
    }
}
