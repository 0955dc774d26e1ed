/// A value to try an app with if it cannot know one by itself: what a user might enter, what work might bring, or a link.
///
/// ```swift
/// struct ShopApp: CoordinatedApp {
///     var samples: [Sample] {
///         [
///             .input("zip", of: "checkout.enterAddress", "8001", "80"),
///             .work("prices", [Price(cents: 100)], [Price]()),
///             .link("/catalogue/product/lamp"),
///         ]
///     }
/// }
/// ```
///
/// Samples are tried in this order wherever the app is explored. An input needs none if it has choices, a default, or an
/// empty value that the app accepts, and a ``Secret`` needs none; nor does work that brings nothing, or a link without
/// values.
public struct Sample: Sendable {
    package enum Source: Hashable, Sendable {
        case input(String, event: String)
        case work(String)
        case link(String)
    }

    package let source: Source
    /// The values of an input.
    package let entered: [PlainValue]
    /// The values that work brings.
    package let brought: [any Sendable]

    private init(_ source: Source, entered: [PlainValue] = [], brought: [any Sendable] = []) {
        self.source = source
        self.entered = entered
        self.brought = brought
    }

    /// Values that a user may enter in a form; the first is one that the app accepts.
    ///
    /// - Parameters:
    ///   - field: The name of the field, as the event declares it.
    ///   - event: The full name of the form's event: `checkout.enterAddress`.
    ///   - values: The values of the field's type, or texts that a user may mistake for one.
    public static func input(_ field: String, of event: String, _ values: any PlainValueConvertible...) -> Sample {
        Sample(.input(field, event: event), entered: values.map { $0.plainValue })
    }

    /// Values that a piece of work may bring. A failure of the work is tried in any case.
    ///
    /// - Parameters:
    ///   - name: The name under which the app asks for the work.
    ///   - values: The values, each of the very type that the work brings; others are passed over.
    public static func work(_ name: String, _ values: any Sendable...) -> Sample {
        Sample(.work(name), brought: values)
    }

    /// A link with values, which is opened at the start of a session.
    ///
    /// - Parameter path: A path of the app's routes: `/teams/team/ferrari`.
    public static func link(_ path: String) -> Sample {
        Sample(.link(path))
    }
}

extension CoordinatedApp {
    /// The faults of the samples: fields, events and paths that the app does not have.
    var sampleFaults: [String] {
        samples.compactMap { sample in
            switch sample.source {
            case .work: return nil
            case .link(let path):
                let isKnown = RoutePath(path).map { !routes.patterns(like: $0).isEmpty } ?? false
                return isKnown ? nil : "the link \(path) in samples matches no route"
            case .input(let field, let event):
                guard let entry = events.entry(named: event) else {
                    return "the event \(event) in samples is not in the catalog"
                }
                let hasField = entry.fields.contains { $0.name == field }
                return hasField ? nil : "the event \(event) in samples has no field \(field)"
            }
        }
    }
}
