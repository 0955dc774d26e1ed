import Glibc
import Testing

@testable import MicroHTTPD

/// When a connection is closed whose request does not get finished, by a clock that only the test moves.
struct WatchTests {
    @Test(arguments: [
        (restart: false, seconds: [0, 5, 9], isClosed: false), (restart: false, seconds: [0, 5, 10], isClosed: true),
        (restart: true, seconds: [0, 9, 12, 21], isClosed: false),
        (restart: true, seconds: [0, 9, 12, 22], isClosed: true),
    ])
    func aDeadlineThatBeginsAnewIsAWholeOne(restart: Bool, seconds: [Int], isClosed: Bool) throws {
        var sockets: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { for socket in sockets { close(socket) } }
        var watch = Watch(socket: sockets[0])
        var progress = Progress()
        progress.advance(to: .receiving)
        let start = ContinuousClock.now
        for (check, second) in seconds.enumerated() {
            if restart, check == 2 { watch.restart() }
            watch.check(progress, now: start + .seconds(second), deadline: .seconds(10))
        }
        var byte: UInt8 = 0
        #expect((recv(sockets[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0) == isClosed)
    }
}
