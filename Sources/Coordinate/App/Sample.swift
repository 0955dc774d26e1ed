/// A value to try an app with where it cannot know one by itself: what a user might enter, or what work might bring.
///
/// ```swift
/// struct ShopApp: CoordinatedApp {
///     var samples: [Sample] {
///         [
///             .input("zip", of: "checkout.enterAddress", "8001", "80"),
///             .work("prices", [Price(cents: 100)], [Price]()),
///         ]
///     }
/// }
/// ```
///
/// Whoever explores the app tries them, in this order. An input with choices needs none, nor does a ``Secret``, nor work that
/// brings nothing.
public struct Sample: Sendable {
    package enum Source: Hashable, Sendable {
        case input(String, event: String)
        case work(String)
    }

    package let source: Source
    /// The values of an input.
    package let entered: [PlainValue]
    /// The values that work brings.
    package let brought: [any Sendable]

    /// Values that a user may enter in a form; the first is one that the app takes.
    ///
    /// - Parameters:
    ///   - field: The name of the field, as the event declares it.
    ///   - event: The full name of the form's event: `checkout.enterAddress`.
    ///   - values: The values of the field's type, or what a user may take for one.
    public static func input(_ field: String, of event: String, _ values: any PlainValueConvertible...) -> Sample {
        Sample(source: .input(field, event: event), entered: values.map { $0.plainValue }, brought: [])
    }

    /// Values that a piece of work may bring. That it fails is tried anyway.
    ///
    /// - Parameters:
    ///   - name: The name that the work is asked for under.
    ///   - values: The values, each of the very type that the work brings; others are passed over.
    public static func work(_ name: String, _ values: any Sendable...) -> Sample {
        Sample(source: .work(name), entered: [], brought: values)
    }
}
