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
/// ``Sample``s are tried in this order wherever the app is explored. None is needed for an input with choices, for a
/// ``Secret``, or for work that brings nothing.
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

    /// Values that a user may enter in a form; the first is one that the app accepts.
    ///
    /// - Parameters:
    ///   - field: The name of the field, as the event declares it.
    ///   - event: The full name of the form's event: `checkout.enterAddress`.
    ///   - values: The values of the field's type, or texts that a user may mistake for one.
    public static func input(_ field: String, of event: String, _ values: any PlainValueConvertible...) -> Sample {
        Sample(source: .input(field, event: event), entered: values.map { $0.plainValue }, brought: [])
    }

    /// Values that a piece of work may bring. A failure of the work is tried in any case.
    ///
    /// - Parameters:
    ///   - name: The name under which the app asks for the work.
    ///   - values: The values, each of the very type that the work brings; others are passed over.
    public static func work(_ name: String, _ values: any Sendable...) -> Sample {
        Sample(source: .work(name), entered: [], brought: values)
    }
}
