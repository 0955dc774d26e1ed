package import Coordinate

/// The things that a session's tree is made of before any event.
package struct SessionBeginning: Equatable, Sendable {
    /// The options that were set: an object.
    package let options: PlainValue
    /// The number that the turns' random numbers are made from.
    package let seed: UInt64
    /// The time of the turn that starts the tree.
    package let time: Timestamp

    package init(options: PlainValue = .object([]), seed: UInt64 = 0, time: Timestamp = Timestamp(seconds: 0)) {
        self.options = options
        self.seed = seed
        self.time = time
    }
}
