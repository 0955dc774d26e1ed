/// How a screen appears in a tab bar.
public final class TabBarItem {
    /// What stands under the picture.
    public var title: String?
    /// A picture by name; it is kept, and carries no meaning here.
    public var image: Image?
    /// A number for the app's own use.
    public var tag: Int
    /// What the badge says, nil for none.
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
    /// What the picture is called.
    public let name: String

    /// The picture with this name; never nil.
    public init?(named name: String) {
        self.name = name
    }
}
