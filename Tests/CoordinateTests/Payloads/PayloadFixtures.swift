import Coordinate

/// A shop whose orders have all in them that a payload may have.
enum Kiosk {
    /// What a shop sells. It is known by a number.
    struct Product: KnownByID, Equatable {
        let id: Int

        static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Product]? {
            (dependencies as? Shelf)?.products
        }
    }

    /// Who buys it. Known by a name.
    struct Customer: KnownByID, Equatable {
        let id: String

        static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Customer]? {
            (dependencies as? Shelf)?.customers
        }
    }

    struct Shelf: AppDependenciesProtocol {
        var products = (1...20).map(Product.init)
        var customers = ["ada", "grace", "katherine"].map(Customer.init)
    }

    enum Delivery: String, CaseIterable, PlainValueConvertible { case standard, express, pickup }

    enum Stars: Int, CaseIterable, PlainValueConvertible {
        case one = 1
        case two, three
    }

    struct Voucher: RawRepresentable, PlainValueConvertible, Equatable {
        let rawValue: String

        init?(rawValue: String) {
            guard rawValue.count == 4 else { return nil }
            self.rawValue = rawValue
        }
    }

    struct Line: PlainObject, Equatable {
        var product: Product
        var count: Int
        var gift: Gift?

        static let declaration = ObjectDeclaration(
            Line.init, .field("product", \.product), .field("count", \.count), .field("gift", \.gift))
    }

    struct Gift: PlainObject, Equatable {
        var wish: String
        var stars: [Stars]

        static let declaration = ObjectDeclaration(Gift.init, .field("wish", \.wish), .field("stars", \.stars))
    }

    /// From one number to another, and not the other way round.
    struct Span: PlainObject, Equatable {
        let from: Double
        let to: Double

        static let declaration = ObjectDeclaration(Span.init(from:to:), .field("from", \.from), .field("to", \.to))

        init(from: Double, to: Double) throws(PlainValueError) {
            guard from <= to else { throw PlainValueError("must not end before it begins") }
            self.from = from
            self.to = to
        }
    }

    struct Account: PlainObject, Equatable {
        var name: String
        var password: Secret

        static let declaration = ObjectDeclaration(
            Account.init, .field("name", \.name), .field("password", \.password))
    }

    enum Orders: DeclaredEvents, Equatable {
        case open
        case note(String?)
        case rate(Stars)
        case place([Line], for: Customer, Delivery, note: String?)
        case filter(Span?, tags: [[String]], onlyGifts: Bool?, Voucher?, [Customer?], limit: Int, factor: Double)
        case login(Account, Secret)
        case loginAll([Account], Account?)

        static let declaration = EventDeclaration<Self>(
            "orders", .event("open", .open),
            .event("note", Self.note, "note") { if case .note(let note) = $0 { note } else { nil } },
            .event("rate", Self.rate, "stars") { if case .rate(let stars) = $0 { stars } else { nil } },
            .event("place", Self.place, "lines", "customer", "delivery", "note") {
                if case .place(let lines, let customer, let delivery, let note) = $0 {
                    (lines, customer, delivery, note)
                } else {
                    nil
                }
            },
            .event("filter", Self.filter, "span", "tags", "onlyGifts", "voucher", "customers", "limit", "factor") {
                if case .filter(let span, let tags, let gifts, let voucher, let customers, let limit, let factor) = $0 {
                    (span, tags, gifts, voucher, customers, limit, factor)
                } else {
                    nil
                }
            },
            .event("login", Self.login, "account", "pin") {
                if case .login(let account, let pin) = $0 { (account, pin) } else { nil }
            },
            .event("loginAll", Self.loginAll, "accounts", "guest") {
                if case .loginAll(let accounts, let guest) = $0 { (accounts, guest) } else { nil }
            })
    }
}
