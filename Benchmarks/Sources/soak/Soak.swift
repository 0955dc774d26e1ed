import SeededGenerator
import Synchronization

/// A server under continuous load, and the clients that check it.
final class Soak: Sendable {
    static let drivers = 16
    static let sessionsOfDriver = 3
    /// The factor by which the rush increases the number of clients.
    static let rushFactor = 2
    static let followers = 24

    let url: String
    /// The time between two requests of one driver.
    let interval: Duration
    let tally = Tally()
    let stage = Stage()
    /// The clients that stay to the end, and those of the initial rush, which are equally many.
    ///
    /// malloc keeps the rush's released memory in pieces, and the remaining load has room in it. Without the rush, each
    /// moment that needs more pages than any before would keep them for good: less and less often, but for hours.
    private let (stay, rush) = (Shift(), Shift())
    private let seed: UInt64
    private let driversLeft = Atomic(Soak.rushFactor * Soak.drivers)

    /// - Parameter rate: The requests per second of all drivers together.
    init(url: String, rate: Int, seed: UInt64) {
        self.url = url
        self.seed = seed
        interval = .seconds(Double(Self.drivers) / Double(rate))
    }

    /// Whether the clients should finish.
    var isOver: Bool { stay.isOver }

    /// Whether all drivers have finished.
    var isDone: Bool { driversLeft.load(ordering: .acquiring) == 0 }

    func end() {
        rush.end()
        stay.end()
    }

    func endRush() { rush.end() }

    /// Runs the load, which continues until ``end()``.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<(Self.rushFactor * Self.drivers) {
                let shift = number < Self.drivers ? stay : rush
                group.addTask {
                    var driver = Driver(self, shift, number: number, generator: self.generator(number))
                    await driver.run()
                    self.driversLeft.subtract(1, ordering: .releasing)
                }
            }
            for number in 0..<(Self.rushFactor * Self.followers) {
                let shift = number < Self.followers ? stay : rush
                group.addTask {
                    var follower = Follower(soak: self, shift: shift, generator: self.generator(1_000 + number))
                    await follower.run()
                }
            }
        }
    }

    private func generator(_ number: Int) -> SeededGenerator {
        SeededGenerator(state: seed &* 1_000_003 &+ UInt64(number))
    }
}

/// The time for which some clients run.
final class Shift: Sendable {
    private let hasEnded = Atomic(false)

    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}
