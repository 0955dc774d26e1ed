/// A text in a payload that is never recorded, such as a password. No turn can read it, so no state depends on it.
///
/// Pass it to work, which can read it:
///
/// ```swift
/// case .login(let name, let password):
///     perform("login", with: password, { [api] _, password in try await api.login(name, password) },
///             done: AppEvents.Account.didLogin, failed: AppEvents.Account.loginDidFail)
/// ```
///
/// Journals, documents, streams and logs omit it, so it is lost when its event is replayed. After a crash, work that
/// needs it does not begin again, but fails with ``WorkFailure/secretLost``.
///
/// It is a value of an event, or a field of a ``PlainObject`` in one. It cannot be optional or an item of a list,
/// because the journal could not show whether there was one, or how many.
public struct Secret: Sendable {
    /// The text; `nil` if the event is being replayed.
    let text: String?

    /// Creates a secret.
    public init(_ text: String) {
        self.text = text
    }

    private init() {
        text = nil
    }
}

extension Secret: Hashable {
    /// Always true. If secrets could differ, state could depend on them.
    public static func == (one: Secret, other: Secret) -> Bool { true }

    public func hash(into hasher: inout Hasher) {}
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Secret" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: PlainValueConvertible {
    public static let plainType = PlainType.string.secret
    public static let isSecret = true

    /// The empty text, for every secret. An action shows this. Only a client that sends the secret gets its text.
    public var plainValue: PlainValue { .string(Self.isSent ? text ?? "" : "") }

    /// Whether ``plainValue`` is the text, for a client that sends it.
    @TaskLocal static var isSent = false

    /// Returns the secret that was sent; a lost one if the value is null, as in a journal.
    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Secret {
        value == .null ? Secret() : Secret(try String.resolve(value, in: dependencies))
    }
}
