package import Coordinate

package enum ParcelEvents: CoordinateEvents, Equatable {
    case send([Item], to: Customer, Speed, note: String?)
    case weigh(Double?, isFragile: Bool?)
    case login(Account)
}

extension ParcelEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "parcels",
        .event("send", Self.send, "items", "customer", "speed", "note") {
            if case .send(let items, let customer, let speed, let note) = $0 {
                (items, customer, speed, note)
            } else {
                nil
            }
        },
        .event("weigh", Self.weigh, "weight", "isFragile") {
            if case .weigh(let weight, let isFragile) = $0 { (weight, isFragile) } else { nil }
        },
        .event("login", Self.login, "account") { if case .login(let account) = $0 { account } else { nil } }
    )
}

extension ParcelEvents {
    package enum Speed: String, CaseIterable, PlainValueConvertible {
        case standard, express
    }

    package struct Customer: KnownByID, Equatable {
        package let id: String

        package static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Customer]? {
            (dependencies as? ParcelDependencies)?.customers
        }
    }

    package struct Item: PlainObject, Equatable {
        let name: String
        let count: Int
        let size: [Double]?

        package static let declaration = ObjectDeclaration(
            Item.init(name:count:size:), .field("name", \.name), .field("count", \.count), .field("size", \.size))

        init(name: String, count: Int, size: [Double]?) throws(PlainValueError) {
            guard count > 0 else { throw PlainValueError("must not be of nothing") }
            self.name = name
            self.count = count
            self.size = size
        }
    }

    package struct Account: PlainObject, Equatable {
        var name: String
        var password: Secret

        package static let declaration = ObjectDeclaration(
            Account.init, .field("name", \.name), .field("password", \.password))
    }
}
