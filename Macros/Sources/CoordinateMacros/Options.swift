import Coordinate

/// Declares a struct of options by its properties.
///
/// ```swift
/// @Options
/// public struct ShopOptions {
///     var locale = Language.english
///     var testPayments = false
///     var limit: Int?
/// }
/// ```
///
/// Each stored property is an option. It has a default and is `PlainValueConvertible`. Computed and `static` properties
/// are not options. The macro writes:
///
/// ```swift
/// extension ShopOptions: SessionOptions {
///     public static let declaration = OptionDeclaration<Self>(
///         .option("locale", \.locale),
///         .option("testPayments", \.testPayments),
///         .option("limit", \.limit)
///     )
/// }
/// ```
///
/// A struct that is `public` or `package`, or has another initializer, gets an `init()` if it has none.
@attached(member, names: named(init))
@attached(extension, conformances: SessionOptions, names: named(declaration))
public macro Options() = #externalMacro(module: "CoordinateMacroPlugin", type: "OptionsMacro")
