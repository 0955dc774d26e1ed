import Foundation
import Loopback
import Synchronization

/// A server under a load that goes on, and those who look whether it holds.
final class Soak: Sendable {
    static let drivers = 16
    static let sessionsOfDriver = 3
    /// How many times as many there are in the rush.
    static let rushFactor = 2
    static let followers = 24

    let port: UInt16
    /// The time between two requests of one driver.
    let interval: Duration
    let tally = Tally()
    let stage = Stage()
    /// Those who stay to the end, and those who are there for the rush at the beginning alone: as many again.
    ///
    /// malloc keeps what the rush gives back, in pieces, and the load that stays has room in it. Without it, each moment
    /// that needs more pages than any before would keep them for good: ever more seldom, but for hours.
    private let (stay, rush) = (Shift(), Shift())
    private let seed: UInt64
    private let driversLeft = Atomic(Soak.rushFactor * Soak.drivers)

    /// - Parameter rate: The requests a second of all drivers together.
    init(port: UInt16, rate: Int, seed: UInt64) {
        self.port = port
        self.seed = seed
        interval = .seconds(Double(Self.drivers) / Double(rate))
    }

    /// Whether it is time to come to an end.
    var isOver: Bool { stay.isOver }

    /// Whether nobody writes any more.
    var isDone: Bool { driversLeft.load(ordering: .acquiring) == 0 }

    func end() {
        rush.end()
        stay.end()
    }

    func endRush() { rush.end() }

    /// Begins the load, which goes on until it is over.
    ///
    /// - Returns: The group of those who are at work.
    func begin() -> DispatchGroup {
        let group = DispatchGroup()
        for number in 0..<(Self.rushFactor * Self.drivers) {
            let shift = number < Self.drivers ? stay : rush
            start(in: group) {
                defer { self.driversLeft.subtract(1, ordering: .releasing) }
                do {
                    var driver = try Driver(self, shift, number: number, generator: self.generator(number))
                    driver.run()
                } catch {
                    self.tally.fail(.answers, "Driver \(number) could not begin: \(error)")
                }
            }
        }
        for number in 0..<(Self.rushFactor * Self.followers) {
            let shift = number < Self.followers ? stay : rush
            start(in: group) {
                var follower = Follower(soak: self, shift: shift, generator: self.generator(1_000 + number))
                follower.run()
            }
        }
        return group
    }

    private func generator(_ number: Int) -> SeededGenerator {
        SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    }

    private func start(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        group.enter()
        Thread {
            work()
            group.leave()
        }.start()
    }
}

/// The time for which some clients are at work.
final class Shift: Sendable {
    private let hasEnded = Atomic(false)

    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}
