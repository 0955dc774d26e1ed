/// The session of a tree, as far as its app may know it.
///
/// An app reads ``current`` when it creates its root, a coordinator its ``CoordinatorNode/sessionContext`` in any turn,
/// and work its ``WorkContext/session``:
///
/// ```swift
/// func makeRootCoordinator() -> CoordinatorNode {
///     let root = ShopCoordinator()
///     root.setDependencies(dependencies: ShopDependencies(customer: SessionContext.current.key))
///     return root
/// }
/// ```
///
/// It does not contain the session's id, which would let its readers control the session.
public struct SessionContext: Equatable, Sendable {
    /// A stable name of the session, 22 URL-safe characters, which grants nothing. Empty outside a server, and if the
    /// session was imported from a journal that does not name one.
    public let reference: String
    /// The key that a backend gave the session; `nil` if it has none.
    public let key: String?
    /// The options that were set when the session was created: an object.
    public let options: PlainValue
    /// The value of the app's option `locale`, whether it was set or not; `nil` if the app has no such option.
    public let locale: String?

    /// Creates a context, for tests.
    public init(
        reference: String = "", key: String? = nil, options: PlainValue = .object([]), locale: String? = nil
    ) {
        self.reference = reference
        self.key = key
        self.options = options
        self.locale = locale
    }

    /// The session for which a root is being created; otherwise a context without values.
    public static var current: SessionContext { ofNewRoot }

    @TaskLocal static var ofNewRoot = SessionContext()
}
