import Glibc
import Testing

@testable import MicroHTTPD

/// The timeout of connections with unfinished requests, by a clock that only the test moves.
struct ConnectionTimeoutTests {
    /// Each byte of a request leaves its deadline as it is, and a request that is answered has none.
    @Test(
        arguments: [
            (phase: .receiving, restart: false, seconds: [0, 5, 9], isClosed: false),
            (.receiving, false, [0, 5, 10], true), (.receiving, true, [0, 9, 12, 21], false),
            (.receiving, true, [0, 9, 12, 22], true), (.answering, false, [0, 9, 60], false),
            (.sending, false, [0, 9, 60], false),
        ] as [(Progress.Phase, Bool, [Int], Bool)])
    func aRequestMustBeCompleteAtItsDeadline(phase: Progress.Phase, restart: Bool, seconds: [Int], isClosed: Bool)
        throws
    {
        let sockets = try Sockets(count: 1)
        var timeout = ConnectionTimeout()
        var isOver = false
        let start = ContinuousClock.now
        for (check, second) in seconds.enumerated() {
            if restart, check == 2 { timeout.restart() }
            // All requests are received first.
            isOver = timeout.isOver(
                Self.progress(check == 0 ? .receiving : phase), of: sockets.servers[0], now: start + .seconds(second),
                deadline: .seconds(10))
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
        let sockets = try Sockets(count: 1)
        let client = sockets.clients[0]
        var timeout = ConnectionTimeout()
        if unread { #expect(send(client, "x", 1, 0) == 1) }
        shutdown(client, Int32(SHUT_WR))
        for isSecondLook in [false, true] {
            let isOver = timeout.isOver(
                Self.progress(phase), of: sockets.servers[0], now: .now, deadline: .seconds(1_000))
            #expect(isOver == (isClosed && isSecondLook))
        }
    }

    @Test(arguments: [(size: 256 * 1024 - 1, isOver: true), (256 * 1024, false)])
    func enoughOfAStreamedBodyGivesTheFullDeadlineAgain(size: Int, isOver: Bool) {
        let connection = Connection(from: .loopback)
        let start = ContinuousClock.now
        func isOverNow(after seconds: Int) -> Bool {
            connection.timeout.isOver(
                Self.progress(.receiving), of: -1, now: start + .seconds(seconds), deadline: .seconds(10))
        }
        #expect(!isOverNow(after: 0))
        connection.stream([UInt8](repeating: 0, count: size), to: Receiver())
        #expect(!isOverNow(after: 9))
        #expect(isOverNow(after: 10) == isOver)
    }

    private final class Receiver: HTTPBodyReceiver {
        func receive(_ part: [UInt8]) {}
    }

    private static func progress(_ phase: Progress.Phase) -> Progress {
        var progress = Progress()
        progress.advance(to: phase)
        return progress
    }
}
