/// What each client holds of something limited, and the rule for who makes room.
///
/// All clients together may hold the limit, and each client its share. If a client wants more than that, something has
/// to be released first: something of that client if it has its share, else something of the largest client if that has
/// its share, else anything.
///
/// ```swift
/// var places = Shares<IPAddress>(limit: 10_000, share: 7_500)
/// if places.hasRoom(for: client) { places.add(1, for: client) }
/// ```
///
/// Each call takes a constant number of steps, however many clients there are; a call that releases much takes as many
/// as those that added it.
package struct Shares<Client: Hashable & Sendable>: Sendable {
    /// The most that all clients together may hold.
    package let limit: Int
    /// The most that one client may hold.
    package var share: Int
    /// The amount that all clients hold.
    package private(set) var total = 0
    private var amounts: [Client: Int] = [:]
    /// The clients by the amount that they hold.
    private var clients: [Int: Set<Client>] = [:]
    private var largestAmount = 0

    package init(limit: Int = .max, share: Int) {
        self.limit = limit
        self.share = share
    }

    /// The number of clients that hold something.
    package var clientCount: Int { amounts.count }

    /// The client that holds the most; `nil` if no client holds anything.
    package var largest: Client? { clients[largestAmount]?.first }

    package func amount(of client: Client) -> Int { amounts[client, default: 0] }

    /// Whether no client holds more.
    package func isLargest(_ client: Client) -> Bool { amount(of: client) == largestAmount }

    /// Whether a client has used up its share.
    package func hasShare(_ client: Client) -> Bool { amount(of: client) >= share }

    /// Whether a client may hold more without a release.
    package func hasRoom(for client: Client) -> Bool { total < limit && !hasShare(client) }

    /// The client that makes room for another one, or for more of its own; `nil` if any client may.
    package func yielding(to client: Client) -> Client? {
        hasShare(client) ? client : largest.flatMap { hasShare($0) ? $0 : nil }
    }

    /// Adds to what a client holds. A negative amount is released.
    package mutating func add(_ change: Int, for client: Client) {
        let former = amount(of: client)
        let amount = former + change
        clients[former]?.remove(client)
        if clients[former]?.isEmpty == true { clients[former] = nil }
        amounts[client] = amount == 0 ? nil : amount
        if amount != 0 { clients[amount, default: []].insert(client) }
        total += change
        largestAmount = max(largestAmount, amount)
        while largestAmount > 0, clients[largestAmount] == nil { largestAmount -= 1 }
    }
}
