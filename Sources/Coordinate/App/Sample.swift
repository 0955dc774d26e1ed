/// A value to try when an app is explored: what a user might enter, what work might return, or a link.
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
/// Samples are tried in this order. An input needs none if it has choices, a default, or an empty value that the app
/// accepts. A ``Secret``, work that returns nothing and a link without values need none either.
public struct Sample: Sendable {
    package enum Source: Hashable, Sendable {
        case input(String, event: String)
        case work(String)
        case link(String)
    }

    package let source: Source
    /// The values of an input.
    package let entered: [PlainValue]
    /// The values that work returns.
    package let brought: [any Sendable]

    private init(_ source: Source, entered: [PlainValue] = [], brought: [any Sendable] = []) {
        self.source = source
        self.entered = entered
        self.brought = brought
    }

    /// Creates a sample of values that a user may enter in a form. The app accepts the first one.
    ///
    /// - Parameters:
    ///   - field: The name of the field, as the event declares it.
    ///   - event: The full name of the form's event: `checkout.enterAddress`.
    ///   - values: Values of the field's type, or texts that a user may enter by mistake.
    public static func input(_ field: String, of event: String, _ values: any PlainValueConvertible...) -> Sample {
        Sample(.input(field, event: event), entered: values.map { $0.plainValue })
    }

    /// Creates a sample of values that work may return. A failure of the work is always tried as well.
    ///
    /// - Parameters:
    ///   - name: The name under which the app requests the work.
    ///   - values: The values, of exactly the type that the work returns. Others are ignored.
    public static func work(_ name: String, _ values: any Sendable...) -> Sample {
        Sample(.work(name), brought: values)
    }

    /// Creates a sample of a link with values, which is opened at the start of a session.
    ///
    /// - Parameter path: A path of the app's routes: `/teams/team/ferrari`.
    public static func link(_ path: String) -> Sample {
        Sample(.link(path))
    }
}

extension [Sample] {
    /// The values that users may enter into an input.
    package func entered(_ field: String, of event: String) -> [PlainValue] {
        filter { $0.source == .input(field, event: event) }.flatMap(\.entered)
    }

    /// The values that work with a name may return.
    package func brought(by work: String) -> [any Sendable] {
        filter { $0.source == .work(work) }.flatMap(\.brought)
    }

    /// The paths of the links.
    package var links: [String] {
        compactMap { if case .link(let path) = $0.source { path } else { nil } }
    }
}

extension CoordinatedApp {
    /// The faults of the samples: fields, events and paths that the app does not declare.
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
