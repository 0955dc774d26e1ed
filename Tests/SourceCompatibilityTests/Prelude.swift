import Coordinate

// Everything that an app for a phone needs to compile here, after removing `import UIKit`.

typealias UIViewController = ViewController
typealias UITableViewController = ViewController
typealias UINavigationController = NavigationController
typealias UITabBarController = TabBarController
typealias UITabBarItem = TabBarItem
typealias UIImage = Image
