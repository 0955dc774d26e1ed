public import Coordinate

/// A product in the apps of these tests.
public struct Product: KnownByID, Equatable {
    public let id: String

    static let shoes = Product(id: "shoes")
    static let hat = Product(id: "hat")

    public static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Product]? {
        (dependencies as? ShopDependencies)?.products
    }
}

public enum Size: String, CaseIterable, PlainValueConvertible {
    case small, large
}

struct ShopDependencies: AppDependenciesProtocol {
    let products = [Product.shoes, .hat]
}
