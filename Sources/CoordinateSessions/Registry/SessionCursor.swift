/// A place in the list of sessions, as clients know it: the journal's own name for it, and a check, so that no journal is
/// asked for what none has said.
package struct SessionCursor: LosslessStringConvertible, Sendable {
    /// The journal's ``SessionPage/next``.
    let position: String

    init(at position: String) {
        self.position = position
    }

    /// Nil for any text that ``description`` would not give.
    package init?(_ description: String) {
        guard let dot = description.firstIndex(of: ".") else { return nil }
        position = String(description[description.index(after: dot)...])
        guard self.description == description else { return nil }
    }

    package var description: String { "\(position.fingerprint).\(position)" }
}
