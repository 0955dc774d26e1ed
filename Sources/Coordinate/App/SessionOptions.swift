/// The options of an app: settings that a client chooses for a session when it creates it.
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
/// A client that creates a session may set some of them. The others have the values of `init()`. They are recorded with
/// the session and never change; ``CoordinatedApp/makeRootCoordinator(options:)`` receives them whenever the session's
/// tree is created.
public protocol SessionOptions: Sendable {
    /// Creates the options with their defaults.
    init()

    /// The options by name.
    static var declaration: OptionDeclaration<Self> { get }
}

/// The options of an app that has none.
public struct NoOptions: SessionOptions {
    /// Whether the default implementation of ``CoordinatedApp/makeRootCoordinator()`` created these options. If the
    /// default implementation of ``CoordinatedApp/makeRootCoordinator(options:)`` receives them, the app implements
    /// neither method.
    let isByDefault: Bool

    public init() { self.init(isByDefault: false) }

    init(isByDefault: Bool) {
        self.isByDefault = isByDefault
    }

    public static let declaration = OptionDeclaration<Self>()
}

/// The names of an app's options, with their types and their defaults.
public struct OptionDeclaration<Options: SessionOptions>: Sendable {
    /// One option.
    public struct Option: Sendable {
        let declared: DeclaredOption
        /// The reason why the option is not allowed, as the end of a sentence; `nil` if it is allowed.
        let problem: String?
        let set: @Sendable (inout Options, PlainValue) throws(PlainValueError) -> Void

        /// Declares an option.
        ///
        /// - Parameters:
        ///   - name: The name that clients know.
        ///   - path: The key path of its value.
        public static func option<Value: PlainValueConvertible>(
            _ name: String, _ path: any WritableKeyPath<Options, Value> & Sendable
        ) -> Self {
            let type = Value.described()
            let defaultValue = Options()[keyPath: path].plainValue
            return Self(
                declared: DeclaredOption(name: name, type: type, defaultValue: defaultValue),
                problem: type.holdsSecret
                    ? "is a secret, and options are recorded"
                    : type.problem ?? refusal(of: defaultValue, as: Value.self),
                set: { options, plain throws(PlainValueError) in
                    options[keyPath: path] = try Value.read(plain, in: nil)
                })
        }

        private static func refusal<Value: PlainValueConvertible>(
            of defaultValue: PlainValue, as type: Value.Type
        ) -> String? {
            do throws(PlainValueError) {
                _ = try Value.resolve(defaultValue, in: nil)
                return nil
            } catch {
                return "has a default that no client could send: it \(error.message)"
            }
        }
    }

    private let options: [Option]

    /// Declares the options of an app.
    ///
    /// No host starts the app if an option is a secret, because options are recorded; if two options have the same
    /// name; or if a client could not send an option's default, because there are no dependencies yet to look up an id.
    public init(_ options: Option...) {
        self.options = options
    }

    var faults: [String] {
        options.enumerated().compactMap { index, option in
            let name = option.declared.name
            if name.isEmpty { return "\(Options.self): an option has an empty name: give it one" }
            if let problem = option.problem { return "\(Options.self): the option \(name) \(problem)" }
            let isSecond = options[..<index].contains { $0.declared.name == name }
            return isSecond ? "\(Options.self): two options are called \(name)" : nil
        }
    }

    var all: [DeclaredOption] { options.map { $0.declared } }

    /// Returns the options that a client sent.
    ///
    /// - Parameter refused: Called for each option that is not declared, or whose value does not fit. The option then
    ///   keeps its default.
    func options(
        from plain: PlainValue, refused: (PlainValueError) throws(PlainValueError) -> Void
    ) throws(PlainValueError) -> Options {
        var result = Options()
        guard case .object(let fields) = plain else { return result }
        for field in fields {
            guard let option = options.first(where: { $0.declared.name == field.name }) else {
                let nearest = field.name.nearest(among: options.map(\.declared.name))
                try refused(PlainValueError("is not an option of this app", nearest: nearest).at(field.name))
                continue
            }
            do throws(PlainValueError) {
                try option.set(&result, field.value)
            } catch {
                try refused(error.at(field.name))
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
    /// Its value if the client sets no other.
    public let defaultValue: PlainValue
}
