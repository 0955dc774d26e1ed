/// The moments in a session's life that its host hears of.
///
/// ```swift
/// let hooks = SessionHooks(didEnd: { session in carts.forget(session.description) })
/// let server = try Server(app: MyApp(), hooks: hooks)
/// ```
///
/// They are called once for each session, by the server on which it happens, with nothing locked, on a thread that should not
/// be kept.
public struct SessionHooks: Sendable {
    /// A session was made: a new one, a fork, or an import. It is in the journal.
    public var didBegin: @Sendable (SessionID) -> Void
    /// A session was ended, or has expired.
    public var didEnd: @Sendable (SessionID) -> Void

    /// Makes hooks that do nothing unless told.
    public init(
        didBegin: @escaping @Sendable (SessionID) -> Void = { _ in },
        didEnd: @escaping @Sendable (SessionID) -> Void = { _ in }
    ) {
        self.didBegin = didBegin
        self.didEnd = didEnd
    }
}
