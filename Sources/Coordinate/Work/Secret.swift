/// A text in a payload that is recorded nowhere, such as a password: no turn can read it, so no state depends on it.
///
/// It can be handed to work, which reads it:
///
/// ```swift
/// case .login(let name, let password):
///     perform("login", with: password, { [api] _, password in try await api.login(name, password) },
///             done: AppEvents.Account.didLogin, failed: AppEvents.Account.loginDidFail)
/// ```
///
/// Journals, documents, streams and logs leave it out, so it is gone when its event is replayed, to look back or after
/// a crash. Work that holds one is not begun again then, and fails with ``WorkFailure/secretLost``.
///
/// It is a value of an event, or a field of a ``PlainObject`` in one. It cannot be optional, nor an item of a list:
/// whether there was one, or how many, would be lost with it.
public struct Secret: Sendable {
    /// The text; `nil` if the event is replayed.
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
    /// Always true: if secrets could be told apart, state could depend on them.
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

    /// The empty text, whatever the secret is, as an action shows it.
    public var plainValue: PlainValue { .string("") }

    /// The secret that was sent; a lost one where the value is null, as in a journal.
    public static func resolve(
        _ value: PlainValue, in dependencies: (any AppDependenciesProtocol)?
    ) throws(PlainValueError) -> Secret {
        value == .null ? Secret() : Secret(try String.resolve(value, in: dependencies))
    }
}
