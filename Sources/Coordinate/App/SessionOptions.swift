/// The options of an app: what may be different from session to session, from the beginning to the end of each.
///
/// ```swift
/// struct ShopOptions: SessionOptions {
///     var locale = "en"
///     var testPayments = false
///
///     static let declaration = OptionDeclaration<Self>(
///         .option("locale", \.locale),
///         .option("testPayments", \.testPayments)
///     )
/// }
/// ```
///
/// Whoever makes a session may set some of them; the others have the values of `init()`. They are recorded with the session,
/// and given to ``CoordinatedApp/makeRootCoordinator(options:)`` whenever its tree is made.
public protocol SessionOptions: Sendable {
    /// Makes the options with their defaults.
    init()

    /// The options by name.
    static var declaration: OptionDeclaration<Self> { get }
}

/// The options of an app that has none.
public struct NoOptions: SessionOptions {
    public init() {}
    public static let declaration = OptionDeclaration<Self>()
}

/// The names of an app's options, with their types and their defaults.
public struct OptionDeclaration<Options: SessionOptions>: Sendable {
    /// One option.
    public struct Option: Sendable {
        let declared: DeclaredOption
        let set: @Sendable (inout Options, PlainValue) throws(PlainValueError) -> Void

        /// Declares an option.
        ///
        /// - Parameters:
        ///   - name: The name that clients know.
        ///   - path: The place of its value.
        public static func option<Value: PlainValueConvertible>(
            _ name: String, _ path: any WritableKeyPath<Options, Value> & Sendable
        ) -> Self {
            Self(
                declared: DeclaredOption(
                    name: name, type: Value.plainType, defaultValue: Options()[keyPath: path].plainValue),
                set: { options, plain throws(PlainValueError) in
                    options[keyPath: path] = try Value.resolve(plain, in: nil)
                })
        }
    }

    private let options: [Option]

    /// Declares the options of an app.
    public init(_ options: Option...) {
        self.options = options
    }

    /// All options, in the order of their declaration.
    var all: [DeclaredOption] { options.map(\.declared) }

    /// The options that a client asked for.
    ///
    /// - Parameter refused: is told of each that is none of these, or does not fit; it has its default then.
    func options(
        from plain: PlainValue, refused: (OptionError) throws(OptionError) -> Void
    ) throws(OptionError) -> Options {
        var result = Options()
        guard case .object(let fields) = plain else { return result }
        for field in fields {
            guard let option = options.first(where: { $0.declared.name == field.name }) else {
                try refused(OptionError(option: field.name, message: "is no option of this app", isUnknown: true))
                continue
            }
            do throws(PlainValueError) {
                try option.set(&result, field.value)
            } catch {
                try refused(OptionError(option: field.name, message: error.message, isUnknown: false))
            }
        }
        return result
    }
}

/// An option as the catalog lists it.
public struct DeclaredOption: Equatable, Sendable {
    /// The name that clients know.
    public let name: String
    /// The type of its values.
    public let type: PlainType
    /// Its value where a client does not say another.
    public let defaultValue: PlainValue
}

/// The reason why options are refused.
public struct OptionError: Error, Equatable, Sendable {
    /// The name of the option.
    public let option: String
    /// Half a sentence that follows the name: "must be a string".
    public let message: String
    /// Whether the app has no such option.
    public let isUnknown: Bool
}
