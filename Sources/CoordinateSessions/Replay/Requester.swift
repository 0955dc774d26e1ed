/// Somebody for whom long work is done. The lanes are shared evenly between requesters, however much each asks for.
///
/// Who they are is the host's business: the same number is the same requester.
package struct Requester: Hashable, Sendable {
    /// The server itself, for what nobody asked for: a timer that is due, for instance.
    package static let host = Requester(number: 0)

    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }
}
