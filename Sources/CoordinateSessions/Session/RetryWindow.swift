/// The last requests of a session that its client can repeat without a second effect.
struct RetryWindow: Sendable {
    /// A request and the version it produced.
    struct Entry: Sendable {
        let retry: Retry
        let version: Int
    }

    /// The number of requests that are remembered.
    private static let size = 64

    /// Oldest first.
    private var entries: [Entry] = []

    mutating func record(_ retry: Retry, version: Int) {
        if entries.count == Self.size { entries.removeFirst() }
        entries.append(Entry(retry: retry, version: version))
    }

    /// The first request with this key, with its version; `nil` if there was none recently.
    ///
    /// - Throws: ``SessionError/otherRequestRetried`` if that request had another body.
    func entry(of retry: Retry) throws(SessionError) -> Entry? {
        guard let first = entries.first(where: { $0.retry.key == retry.key }) else { return nil }
        guard first.retry.fingerprint == retry.fingerprint else { throw .otherRequestRetried }
        return first
    }
}
