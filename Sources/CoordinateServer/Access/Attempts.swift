internal import MicroHTTPD
internal import Synchronization

/// A limit on guesses of the key: after ten wrong keys in a minute, an address must wait.
///
/// While an address waits, the server does not check its keys. Otherwise the attacker could keep guessing.
final class Attempts: Sendable {
    static let limit = 10
    /// The time during which wrong keys count, in seconds.
    static let window = 60
    /// The most addresses that are remembered. Each needs about 200 bytes.
    static let capacity = 10_000

    /// The times of the latest wrong keys, oldest first, up to the limit.
    private let times = Mutex<[IPAddress: [Int]]>([:])
    /// The time at which the last waiting address may try again.
    private let end = Atomic(Int.min)

    /// Whether any address has had to wait so far. Until then a right key needs no look at the table.
    var hasDelayedAnyAddress: Bool { end.load(ordering: .relaxed) != .min }

    /// The number of wrong keys that an address may still send.
    struct Remaining: Equatable {
        /// Their number.
        let count: Int
        /// The seconds until one more is allowed.
        let seconds: Int
        /// Whether the last key was one too many.
        var isExceeded = false
    }

    /// The seconds that an address must wait; `nil` if it may try.
    ///
    /// - Parameter now: The time in seconds, by a monotonic clock.
    func waitingTime(of address: IPAddress, at now: Int) -> Int? {
        guard now < end.load(ordering: .relaxed) else { return nil }
        return times.withLock { Self.waitingTime($0[address.holder] ?? [], now) }
    }

    /// Counts a wrong key, unless its address must wait.
    func countWrongKey(from address: IPAddress, at now: Int) -> Remaining {
        times.withLock { times in
            var own = times[address.holder] ?? []
            if let time = Self.waitingTime(own, now) { return Remaining(count: 0, seconds: time, isExceeded: true) }
            if own.isEmpty, times.count >= Self.capacity { Self.makeRoom(in: &times, now) }
            own.removeAll { $0 <= now - Self.window }
            own.append(now)
            times[address.holder] = own
            if own.count >= Self.limit { end.store(now + Self.window, ordering: .relaxed) }
            return Remaining(count: Self.limit - own.count, seconds: own[0] + Self.window - now)
        }
    }

    /// The number of remembered addresses.
    var count: Int { times.withLock { $0.count } }

    private static func waitingTime(_ times: [Int], _ now: Int) -> Int? {
        let recent = times.filter { $0 > now - window }
        guard recent.count >= limit, let first = recent.first else { return nil }
        return first + window - now
    }

    /// Keeps only the addresses that must wait. If those fill half the table, an attacker has too many addresses for
    /// it, and all are forgotten.
    private static func makeRoom(in times: inout [IPAddress: [Int]], _ now: Int) {
        times = times.filter { waitingTime($0.value, now) != nil }
        if times.count > capacity / 2 { times = [:] }
    }
}
