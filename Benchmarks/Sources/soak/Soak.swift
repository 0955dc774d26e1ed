import Foundation
import Loopback
import Synchronization

/// A server under a load that goes on, and those who look whether it holds.
final class Soak: Sendable {
    static let drivers = 16
    static let sessionsOfDriver = 3
    static let followers = 24

    let port: UInt16
    /// The time between two requests of one driver.
    let interval: Duration
    let tally = Tally()
    let stage = Stage()
    private let seed: UInt64
    private let hasEnded = Atomic(false)
    private let driversLeft = Atomic(Soak.drivers)

    /// - Parameter rate: The requests a second of all drivers together.
    init(port: UInt16, rate: Int, seed: UInt64) {
        self.port = port
        self.seed = seed
        interval = .seconds(Double(Self.drivers) / Double(rate))
    }

    /// Whether it is time to come to an end.
    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    /// Whether nobody writes any more.
    var isDone: Bool { driversLeft.load(ordering: .acquiring) == 0 }

    func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Begins the load, which goes on until it is over.
    ///
    /// - Returns: The group of those who are at work.
    func begin() -> DispatchGroup {
        let group = DispatchGroup()
        for number in 0..<Self.drivers {
            start(in: group) {
                defer { self.driversLeft.subtract(1, ordering: .releasing) }
                do {
                    var driver = try Driver(self, number: number, generator: self.generator(number))
                    driver.run()
                } catch {
                    self.tally.fail(.answers, "Driver \(number) could not begin: \(error)")
                }
            }
        }
        for number in 0..<Self.followers {
            start(in: group) {
                var follower = Follower(soak: self, generator: self.generator(1_000 + number))
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
