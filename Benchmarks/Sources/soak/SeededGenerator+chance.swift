import SeededGenerator

extension SeededGenerator {
    /// Returns true once in `number` times on average.
    mutating func once(in number: Int) -> Bool { Int.random(in: 0..<number, using: &self) == 0 }

    mutating func duration(_ seconds: ClosedRange<Double>) -> Duration {
        .seconds(Double.random(in: seconds, using: &self))
    }
}
