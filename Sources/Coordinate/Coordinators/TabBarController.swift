/// The screen of a ``TabBarCoordinator``: screens side by side, with a bar to choose one.
open class TabBarController: ViewController {
    /// The screens of the tabs, in order; `nil` until they are set. They follow the coordinator's children.
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
    /// One item per tab, in order; `nil` until there are tabs.
    public let items: [TabBarItem]?
}

/// The appearance of a screen in a tab bar.
public final class TabBarItem {
    /// The text under the image.
    public var title: String? {
        get { text }
        set { text = newValue }
    }
    /// An image. It is stored but not used here.
    public var image: Image?
    /// A number for the app's use.
    public var tag: Int
    /// The text of the badge, `nil` for none.
    public var badgeValue: String? {
        get { badge }
        set { badge = newValue }
    }

    // Private stored properties, for the same reason as in `ViewController`.
    private var text: String?
    private var badge: String?

    /// Creates an item without a badge.
    public init(title: String?, image: Image?, tag: Int) {
        text = title
        self.image = image
        self.tag = tag
    }
}

/// An image without pixels: only its name.
public struct Image: Hashable, Sendable {
    /// The name of the image.
    public let name: String

    /// Creates the image with this name; never `nil`.
    public init?(named name: String) {
        self.name = name
    }
}
