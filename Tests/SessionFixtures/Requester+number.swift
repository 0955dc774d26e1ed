package import CoordinateSessions

/// A requester by a number, as tests tell them apart.
extension Requester: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: UInt64) {
        self.init(number: number)
    }
}
