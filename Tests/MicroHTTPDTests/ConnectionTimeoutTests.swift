import Glibc
import Testing

@testable import MicroHTTPD

/// The timeout of connections with unfinished requests, by a clock that only the test moves.
struct ConnectionTimeoutTests {
    @Test(arguments: [
        (restart: false, seconds: [0, 5, 9], isClosed: false), (restart: false, seconds: [0, 5, 10], isClosed: true),
        (restart: true, seconds: [0, 9, 12, 21], isClosed: false),
        (restart: true, seconds: [0, 9, 12, 22], isClosed: true),
    ])
    func restartingGivesTheFullDeadline(restart: Bool, seconds: [Int], isClosed: Bool) throws {
        let (server, client) = try connect()
        defer { for socket in [server, client] { close(socket) } }
        var timeout = ConnectionTimeout()
        var isOver = false
        let start = ContinuousClock.now
        for (check, second) in seconds.enumerated() {
            if restart, check == 2 { timeout.restart() }
            isOver = timeout.isOver(
                progress, of: server, now: start + .seconds(second), deadline: .seconds(10))
        }
        #expect(isOver == isClosed)
    }

    @Test(arguments: [
        (phase: Progress.Phase.receiving, unread: false, isClosed: true), (.receiving, true, false),
        (.answering, false, false), (.waiting, false, true),
    ])
    func aClientThatSendsNoMoreIsDisconnectedUnlessItIsAnswered(phase: Progress.Phase, unread: Bool, isClosed: Bool)
        throws
    {
        let (server, client) = try connect()
        defer { for socket in [server, client] { close(socket) } }
        var timeout = ConnectionTimeout()
        if unread { #expect(send(client, "x", 1, 0) == 1) }
        shutdown(client, Int32(SHUT_WR))
        for isSecondLook in [false, true] {
            var progress = Progress()
            progress.advance(to: phase)
            let isOver = timeout.isOver(
                progress, of: server, now: .now, deadline: .seconds(1_000))
            #expect(isOver == (isClosed && isSecondLook))
        }
    }

    @Test(arguments: [(size: 256 * 1024 - 1, isOver: true), (256 * 1024, false)])
    func enoughOfAStreamedBodyGivesTheFullDeadlineAgain(size: Int, isOver: Bool) {
        let connection = Connection(from: .loopback)
        let start = ContinuousClock.now
        func isOverNow(after seconds: Int) -> Bool {
            connection.timeout.isOver(progress, of: -1, now: start + .seconds(seconds), deadline: .seconds(10))
        }
        #expect(!isOverNow(after: 0))
        connection.stream([UInt8](repeating: 0, count: size), to: Receiver())
        #expect(!isOverNow(after: 9))
        #expect(isOverNow(after: 10) == isOver)
    }

    private final class Receiver: HTTPBodyReceiver {
        func receive(_ part: [UInt8]) {}
    }

    private func connect() throws -> (Int32, Int32) {
        var sockets: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        return (sockets[0], sockets[1])
    }

    private let progress = {
        var progress = Progress()
        progress.advance(to: .receiving)
        return progress
    }()
}
