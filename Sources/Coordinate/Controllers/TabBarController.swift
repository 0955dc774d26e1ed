/// The screen of a ``TabBarCoordinator``: screens side by side, with a bar to choose one.
open class TabBarController: ViewController {
    /// The screens of the tabs, in order; `nil` until they are set. They follow the coordinator's children.
    public internal(set) final var viewControllers: [ViewController]?

    /// The position of the selected tab.
    public internal(set) final var selectedIndex = 0

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
