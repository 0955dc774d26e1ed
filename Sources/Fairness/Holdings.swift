/// The things that clients hold of something limited, and the rule for which one is released for another.
///
/// The client that yields loses the thing that it used longest ago; if no client has its share, any client does
/// (``Shares``). Times are whole numbers, usually of seconds. The last use of a thing need not be known all the time: it
/// is requested when the thing may be released. So each thing is examined at most once a second.
package struct Holdings<Client: Hashable & Sendable, Thing: Hashable & Sendable>: Sendable {
    /// Things by the time of their last known use.
    private struct Order {
        private var things: [Int: Set<Thing>] = [:]
        private var first = Int.max

        mutating func insert(_ thing: Thing, at time: Int) {
            things[time, default: []].insert(thing)
            first = min(first, time)
        }

        mutating func remove(_ thing: Thing, at time: Int) {
            things[time]?.remove(thing)
            if things[time]?.isEmpty == true { things[time] = nil }
            if things.isEmpty { first = .max }
        }

        /// A thing that was used longest ago, up to a time.
        mutating func first(upTo time: Int) -> Thing? {
            while first <= time {
                if let thing = things[first]?.first { return thing }
                first += 1
            }
            return nil
        }
    }

    /// The number of things that each client holds.
    package var shares: Shares<Client>
    private var entries: [Thing: (client: Client, use: Int)] = [:]
    private var order = Order()
    private var orderOfClient: [Client: Order] = [:]

    package init(_ shares: Shares<Client>) {
        self.shares = shares
    }

    /// Adds a thing that a client holds.
    package mutating func insert(_ thing: Thing, of client: Client, usedAt time: Int) {
        remove(thing)
        entries[thing] = (client, time)
        order.insert(thing, at: time)
        orderOfClient[client, default: Order()].insert(thing, at: time)
        shares.add(1, for: client)
    }

    /// Removes a thing. Does nothing if no client holds it.
    package mutating func remove(_ thing: Thing) {
        guard let (client, time) = entries.removeValue(forKey: thing) else { return }
        order.remove(thing, at: time)
        orderOfClient[client]?.remove(thing, at: time)
        shares.add(-1, for: client)
        if shares.amount(of: client) == 0 { orderOfClient[client] = nil }
    }

    /// Removes the thing that is released for another one of a client.
    ///
    /// - Parameters:
    ///   - time: A thing that was used after this is not released.
    ///   - lastUse: Returns the last use of a thing; `nil` if no later one is known.
    /// - Returns: The thing and its client; `nil` if none can be released for this client.
    package mutating func release(
        for client: Client, unusedSince time: Int, lastUse: (Thing) -> Int? = { _ in nil }
    ) -> (thing: Thing, client: Client)? {
        let yielding = shares.yielding(to: client)
        var thing = first(of: yielding, upTo: time, lastUse)
        // A client that has its share is refused before others lose something to it.
        if thing == nil, yielding != client { thing = first(of: nil, upTo: time, lastUse) }
        guard let thing, let owner = entries[thing]?.client else { return nil }
        remove(thing)
        return (thing, owner)
    }

    private mutating func first(of client: Client?, upTo time: Int, _ lastUse: (Thing) -> Int?) -> Thing? {
        while let thing = client.map({ orderOfClient[$0]?.first(upTo: time) }) ?? order.first(upTo: time) {
            guard let (owner, known) = entries[thing], let last = lastUse(thing), last > known else { return thing }
            insert(thing, of: owner, usedAt: last)
        }
        return nil
    }
}
