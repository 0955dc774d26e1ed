internal import CoordinateSessions

/// A session to replay, and the recorded place with which to compare it.
struct Trial: Sendable {
    let session: SessionID
    /// The position of the place's line in the file of places; `nil` if it is not compared.
    let place: Range<Int>?
}

extension Trial: LosslessStringConvertible {
    /// Reads a ``description``.
    init?(_ description: String) {
        let parts = description.split(separator: "@", maxSplits: 1)
        guard let session = parts.first.flatMap({ SessionID(String($0)) }) else { return nil }
        self.session = session
        let bounds = parts.dropFirst().first?.split(separator: "-").compactMap { Int($0) }
        place = bounds.flatMap { $0.count == 2 && $0[0] <= $0[1] ? $0[0]..<$0[1] : nil }
    }

    /// The form in which a worker reads it.
    var description: String {
        "\(session)" + (place.map { "@\($0.lowerBound)-\($0.upperBound)" } ?? "")
    }
}
