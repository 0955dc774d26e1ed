package import Coordinate

package enum FormEvents: CoordinateEvents, Equatable {
    case join(name: String, zip: String, Country, guests: Int?, newsletter: Bool, Secret)
    case bring(Dish, Int)
    case drop(Dish)
    case invite

    package enum Country: String, CaseIterable, PlainValueConvertible {
        case de, fr, ch
    }

    package enum Dish: String, CaseIterable, PlainValueConvertible {
        case bread, soup
    }
}

extension FormEvents: DeclaredEvents {
    package static let declaration = EventDeclaration<Self>(
        "form",
        .event("join", Self.join, "name", "zip", "country", "guests", "newsletter", "password") {
            guard case .join(let name, let zip, let country, let guests, let newsletter, let password) = $0 else {
                return nil
            }
            return (name, zip, country, guests, newsletter, password)
        },
        .event("bring", Self.bring, "dish", "count") {
            if case .bring(let dish, let count) = $0 { (dish, count) } else { nil }
        },
        .event("drop", Self.drop, "dish") { if case .drop(let dish) = $0 { dish } else { nil } },
        .event("invite", .invite)
    )
}
