import Glibc
import Synchronization
import Testing

@testable import MicroHTTPD

/// Jobs of workers that cannot do them, and the connections of all workers.
struct HTTPWorkerTests {
    @Test func jobsOfAStuckOrEndedWorkerRunElsewhere() throws {
        let elsewhere = Atomic(0)
        let worker = try HTTPWorker(number: 0, table: ConnectionTable()) { job in
            elsewhere.add(1, ordering: .relaxed)
            job()
        }
        let done = Atomic(0)
        let job: @Sendable () -> Void = { done.add(1, ordering: .relaxed) }
        worker.enqueue(job)
        #expect(done.load(ordering: .relaxed) == 0)
        worker.setStuck(true)
        worker.enqueue(job)
        #expect(done.load(ordering: .relaxed) == 2)
        worker.setStuck(false)
        worker.enqueue(job)
        #expect(done.load(ordering: .relaxed) == 2)
        #expect(worker.closeMailbox().count == 1)
        worker.enqueue(job)
        #expect(done.load(ordering: .relaxed) == 3)
        #expect(elsewhere.load(ordering: .relaxed) == 3)
    }

    @Test func newConnectionsAvoidBusyWorkers() throws {
        let sockets = try Sockets(count: 5)
        let table = ConnectionTable()
        table.setLimits(ConnectionLimits(regular: 100), workers: 3)
        let avoided: [Set<Int>] = [[], [1], [1], [0, 2], [0, 1, 2]]
        let workers = zip(sockets.servers, avoided).map { socket, avoided in
            table.admit(socket, from: .loopback, avoiding: avoided)?.worker
        }
        // The one with the fewest connections; any of them if all are busy.
        #expect(workers == [0, 2, 0, 1, 1])
    }

    @Test func theConnectionThatHasBeenIdleLongestIsClosedForANewOne() throws {
        let sockets = try Sockets(count: 6)
        let table = ConnectionTable()
        table.setLimits(ConnectionLimits(regular: 4), workers: 1)
        let entries = try sockets.servers.prefix(4).enumerated().map { number, socket in
            try #require(table.admit(socket, from: address(number), avoiding: [], at: 0))
        }
        for (entry, second) in zip(entries, [5, 3, 2, 1]) { entry.lastUse.store(second, ordering: .relaxed) }
        // One has a request in progress, and one has sent something that was not read yet.
        var progress = Progress()
        progress.advance(to: .receiving)
        entries[3].progress.store(progress, ordering: .relaxed)
        #expect(send(sockets.clients[2], "G", 1, 0) == 1)
        #expect(table.admit(sockets.servers[4], from: address(4), avoiding: [], at: 3)?.isOnReserve == true)
        #expect(table.admit(sockets.servers[5], from: address(5), avoiding: [], at: 9)?.isOnReserve == false)
        let closed = sockets.clients.map { Sockets.isClosed($0) }
        #expect(closed == [false, true, false, false, false, false])
    }

    /// The addresses of five connections to a server with four places, the oldest first, and the one that is closed.
    @Test(arguments: [
        ([0, 1, 1, 1, 2], isProxy: false, closed: 1), ([0, 1, 1, 2, 1], false, 0), ([1, 1, 1, 0, 1], false, 0),
        ([0, 1, 1, 1, 1], false, 1), ([0, 1, 1, 1, 1], true, 0),
    ])
    func anAddressThatHasItsShareLosesAConnectionFirst(addresses: [Int], isProxy: Bool, closed: Int) throws {
        let sockets = try Sockets(count: 5)
        let table = ConnectionTable()
        let proxies = isProxy ? [try #require(IPNetwork("\(address(1))"))] : []
        table.setLimits(ConnectionLimits(regular: 4, unshared: proxies), workers: 1)
        for (second, (socket, number)) in zip([0, 1, 2, 3, 9], zip(sockets.servers, addresses)) {
            let entry = table.admit(socket, from: address(number), avoiding: [], at: second)
            #expect(entry?.isOnReserve == false)
        }
        #expect(sockets.clients.map { Sockets.isClosed($0) } == (0..<5).map { $0 == closed })
    }

    /// A server with four places has at most eight connections. Those that it closes count until their worker has
    /// removed them.
    @Test func connectionsBeingClosedCountTowardsTheShareOfTheirAddress() throws {
        let sockets = try Sockets(count: 12)
        let table = ConnectionTable()
        table.setLimits(ConnectionLimits(regular: 4), workers: 1)
        let crowd = sockets.servers.prefix(10).map { table.admit($0, from: address(0), avoiding: [], at: 0) }
        #expect(crowd.map { $0 != nil } == Array(repeating: true, count: 6) + Array(repeating: false, count: 4))
        #expect(table.admit(sockets.servers[10], from: address(1), avoiding: [], at: 0)?.isOnReserve == false)
        table.remove(try #require(crowd[5]))
        #expect(table.admit(sockets.servers[11], from: address(0), avoiding: [], at: 0)?.isOnReserve == true)
    }

    private func address(_ number: Int) -> IPAddress { IPAddress("192.0.2.\(number + 1)") ?? .loopback }
}

/// Pairs of connected sockets.
final class Sockets {
    private(set) var servers: [Int32] = []
    private(set) var clients: [Int32] = []

    init(count: Int) throws {
        for _ in 0..<count {
            var pair: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            servers.append(pair[0])
            clients.append(pair[1])
        }
    }

    deinit {
        for socket in servers + clients { close(socket) }
    }

    static func isClosed(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
}
