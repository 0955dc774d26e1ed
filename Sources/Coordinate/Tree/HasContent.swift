/// A screen with a value for clients that draw more than rows, such as a chart or a map.
///
/// ```swift
/// final class PriceViewController: ViewController, HasContent {
///     var history: [Int] = []
///     var content: [Int] { history }
/// }
/// ```
///
/// Documents contain the value as the screen's `content`, and the catalog describes its type.
public protocol HasContent: ViewController {
    /// The type of the value; inferred from ``content``. An optional is null while there is nothing to draw.
    associatedtype Content: PlainValueConvertible
    /// The value.
    var content: Content { get }
}

/// The access to the content of a screen's class.
struct ContentAccess: Sendable {
    let type: PlainType
    let read: @Sendable (ViewController) -> PlainValue

    init<Class: HasContent>(_ type: Class.Type) {
        self.type = Class.Content.described()
        read = { screen in (screen as? Class)?.content.plainValue ?? .null }
    }
}
