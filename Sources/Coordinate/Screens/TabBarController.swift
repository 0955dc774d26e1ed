/// The screen of a ``TabBarCoordinator``: screens side by side, with a bar to choose one.
open class TabBarController: ViewController {
    /// The screens of the tabs, in order; `nil` before they are set. They follow the coordinator's children.
    public internal(set) final var viewControllers: [ViewController]?

    /// The position of the selected tab.
    public internal(set) final var selectedIndex: Int {
        get { selection }
        set { selection = newValue }
    }

    private final var selection = 0

    /// The screen of the selected tab.
    public final var selectedViewController: ViewController? {
        guard let viewControllers, viewControllers.indices.contains(selectedIndex) else { return nil }
        return viewControllers[selectedIndex]
    }

    /// The bar itself.
    public final var tabBar: TabBar { TabBar(items: viewControllers?.map(\.tabBarItem)) }
}

/// The bar of a tab bar controller.
public struct TabBar {
    /// One item a tab, in order; `nil` before there are tabs.
    public let items: [TabBarItem]?
}

/// The appearance of a screen in a tab bar.
public final class TabBarItem {
    /// The text under the picture.
    public var title: String? {
        get { text }
        set { text = newValue }
    }
    /// A picture by name; it is stored, and has no meaning here.
    public var image: Image?
    /// A number for the app's own use.
    public var tag: Int
    /// The text of the badge, `nil` for none.
    public var badgeValue: String? {
        get { badge }
        set { badge = newValue }
    }

    // Private for the same reason as a screen's title.
    private var text: String?
    private var badge: String?

    /// Creates an item without a badge.
    public init(title: String?, image: Image?, tag: Int) {
        text = title
        self.image = image
        self.tag = tag
    }
}

/// A picture without pixels: its name.
public struct Image: Hashable, Sendable {
    /// The name of the picture.
    public let name: String

    /// The picture with this name; never `nil`.
    public init?(named name: String) {
        self.name = name
    }
}
