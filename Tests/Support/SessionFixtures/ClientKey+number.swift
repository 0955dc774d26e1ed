package import CoordinateSessions

/// A client by its number, as tests name clients.
extension ClientKey: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: UInt64) {
        self.init(number: number)
    }
}
