/// The appearance of a screen in a tab bar.
public final class TabBarItem {
    /// The text under the picture.
    public var title: String?
    /// A picture by name; it is kept, and carries no meaning here.
    public var image: Image?
    /// A number for the app's own use.
    public var tag: Int
    /// The text of the badge, nil for none.
    public var badgeValue: String?

    /// Makes an item without a badge.
    public init(title: String?, image: Image?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
    }
}

/// A picture without pixels: its name.
public struct Image: Hashable, Sendable {
    /// The name of the picture.
    public let name: String

    /// The picture with this name; never nil.
    public init?(named name: String) {
        self.name = name
    }
}
