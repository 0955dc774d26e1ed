internal import MicroHTTPD
internal import Synchronization

/// Slows down those who try one key after another: after ten wrong ones in a minute an address has to wait.
///
/// Whoever has to wait is not told whether a key is right, or waiting would cost nobody anything.
final class Attempts: Sendable {
    static let limit = 10
    /// In seconds.
    static let window = 60
    /// The most addresses that are remembered; each takes some 200 bytes.
    static let capacity = 10_000

    /// The times of the latest wrong keys, oldest first, no more than the limit.
    private let times = Mutex<[IPAddress: [Int]]>([:])
    /// When the last of those who wait may go on.
    private let end = Atomic(Int.min)

    /// Whether anybody had to wait so far. While nobody had, nothing else is worth looking at.
    var haveHeldSomebody: Bool { end.load(ordering: .relaxed) != .min }

    /// The wrong keys that an address may still send.
    struct Rest: Equatable {
        /// The number of them.
        let count: Int
        /// The seconds until there is one more.
        let seconds: Int
        /// True where the last one was more than it had.
        var isExceeded = false
    }

    /// The seconds that an address has to wait; nil where it may try.
    ///
    /// - Parameter now: Seconds that pass evenly.
    func waitingTime(of address: IPAddress, at now: Int) -> Int? {
        guard now < end.load(ordering: .relaxed) else { return nil }
        return times.withLock { Self.waitingTime($0[address.holder] ?? [], now) }
    }

    /// Notes a wrong key, unless it came from an address that has to wait.
    func noteWrongKey(from address: IPAddress, at now: Int) -> Rest {
        times.withLock { times in
            var own = times[address.holder] ?? []
            if let time = Self.waitingTime(own, now) { return Rest(count: 0, seconds: time, isExceeded: true) }
            if own.isEmpty, times.count >= Self.capacity { Self.makeRoom(in: &times, now) }
            own.removeAll { $0 <= now - Self.window }
            own.append(now)
            times[address.holder] = own
            if own.count >= Self.limit { end.store(now + Self.window, ordering: .relaxed) }
            return Rest(count: Self.limit - own.count, seconds: own[0] + Self.window - now)
        }
    }

    /// How many addresses are remembered.
    var count: Int { times.withLock { $0.count } }

    private static func waitingTime(_ times: [Int], _ now: Int) -> Int? {
        let recent = times.filter { $0 > now - window }
        guard recent.count >= limit, let first = recent.first else { return nil }
        return first + window - now
    }

    /// Keeps those who have to wait; where they are as many, nobody's attempts can be counted one by one.
    private static func makeRoom(in times: inout [IPAddress: [Int]], _ now: Int) {
        times = times.filter { waitingTime($0.value, now) != nil }
        if times.count > capacity / 2 { times = [:] }
    }
}
