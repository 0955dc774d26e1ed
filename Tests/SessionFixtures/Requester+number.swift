package import CoordinateSessions

/// A requester by its number, as tests name requesters.
extension Requester: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: UInt64) {
        self.init(number: number)
    }
}
