/// The appearance of a screen in a tab bar.
public final class TabBarItem {
    /// The text under the image.
    public var title: String?
    /// The image above the title.
    public var image: Image?
    /// A number for the app's use.
    public var tag: Int
    /// The text of the badge, `nil` for none.
    public var badgeValue: String?

    /// Creates an item without a badge.
    public init(title: String?, image: Image?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
    }
}
