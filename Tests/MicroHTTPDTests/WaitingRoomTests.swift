import Dispatch
import Glibc
import Synchronization
import Testing

@testable import MicroHTTPD

/// What the room does for guests that have no connection.
struct WaitingRoomTests {
    private final class Guest: Suspendable {
        private let calls = Mutex<[String]>([])
        private let alarms: Atomic<Int>
        private let socket: Int32?
        let called = DispatchSemaphore(value: 0)

        /// - Parameter alarms: How many more times it asks for after its first.
        init(alarms: Int = 0, socket: Int32? = nil) {
            self.alarms = Atomic(alarms)
            self.socket = socket
        }

        var log: [String] { calls.withLock { $0 } }

        private func note(_ call: String) {
            calls.withLock { $0.append(call) }
            called.signal()
        }

        var watchedSocket: Int32? { log.contains("left") ? nil : socket }
        func resume() { note("resume") }
        func clientLeft(isGone: Bool) { note("left") }
        func serverStops() { note("stops") }
        func serverHasAnswered() { note("answered") }

        func serverHasStopped() -> Connection? {
            note("stopped")
            return nil
        }

        func timeHasCome(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            note("time")
            return alarms.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 ? now : nil
        }
    }

    @Test func aGuestIsCalledAtItsTimeAsOftenAsItAsks() {
        let room = WaitingRoom()
        let guest = Guest(alarms: 2)
        let other = Guest()
        #expect(room.admit(guest, until: .now) == .open)
        #expect(room.admit(other, until: .now + .seconds(1_000)) == .open)
        #expect(guest.called.isSignalled(times: 3))
        room.leave(guest)
        room.leave(other)
        #expect(guest.log == ["time", "time", "time"])
        #expect(other.log == [])
    }

    @Test func whoeverIsReadyIsResumedOnce() {
        let room = WaitingRoom()
        let guests = (0..<1_000).map { _ in Guest() }
        for guest in guests { #expect(room.admit(guest) == .open) }
        for guest in guests { room.ready(guest) }
        #expect(guests.allSatisfy { $0.called.isSignalled() })
        for guest in guests { room.leave(guest) }
        // It returns after all that the room has been doing.
        #expect(room.close().isEmpty)
        #expect(guests.filter { $0.log != ["resume"] }.isEmpty)
    }

    @Test(arguments: [(0, 50), (25, 50), (26, 52), (64, 128), (1_000, 2_000), (15_000, 10_000)])
    func thePauseBetweenTicksGrowsWithTheRoom(guests: Int, microseconds: Int) {
        #expect(WaitingRoom.pause(among: guests) == .microseconds(microseconds))
    }

    @Test(arguments: [true, false])
    func aPeerThatClosesItsSideIsNoticed(halfway: Bool) throws {
        var sockets: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { close(sockets[0]) }
        let room = WaitingRoom()
        let guest = Guest(socket: sockets[0])
        #expect(room.admit(guest) == .open)
        if halfway { shutdown(sockets[1], Int32(SHUT_WR)) } else { close(sockets[1]) }
        #expect(guest.called.isSignalled(times: 2))
        room.leave(guest)
        #expect(guest.log == ["left", "resume"])
        if halfway { close(sockets[1]) }
    }

    @Test func aClosingRoomTellsItsGuestsAndAClosedOneTakesNone() {
        let room = WaitingRoom()
        let early = Guest()
        let late = Guest()
        #expect(room.admit(early) == .open)
        room.beginClosing()
        #expect(room.admit(late) == .closing)
        #expect(room.close().isEmpty)
        #expect(room.admit(Guest()) == .closed)
        // Once more for those whose answer comes in between.
        #expect(early.log == ["stops", "stopped", "resume", "resume"])
        #expect(late.log == ["stopped", "resume", "resume"])
    }
}
