import Coordinate

// All that an app written for a phone needs to compile here, once `import UIKit` is gone.

typealias UIViewController = ViewController
typealias UITableViewController = ViewController
typealias UINavigationController = NavigationController
typealias UITabBarController = TabBarController
typealias UITabBarItem = TabBarItem
typealias UIImage = Image
