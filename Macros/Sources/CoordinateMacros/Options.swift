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
/// Each property that is stored is an option, has a default, and is `PlainValueConvertible`. One that is computed or
/// `static` is none. This is what is written:
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
/// A struct that is `public` or `package`, or has another initialiser, gets an `init()` where it has none.
@attached(member, names: named(init))
@attached(extension, conformances: SessionOptions, names: named(declaration))
public macro Options() = #externalMacro(module: "CoordinateMacroPlugin", type: "OptionsMacro")
