import Coordinate

enum AppEvents {
    enum Account: CoordinateEvents, Equatable {
        case logIn
        case logOut
    }

    enum Form: CoordinateEvents, Equatable {
        case open
        case change(_ text: String)
        case save
    }

    enum Orders: CoordinateEvents, Equatable {
        case open
        case didSelect(_ order: Int)
    }
}

extension AppEvents.Account: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "account",
        .event("logIn", .logIn),
        .event("logOut", .logOut)
    )
}

extension AppEvents.Form: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "form",
        .event("open", .open),
        .event("change", Self.change, "text") { if case .change(let text) = $0 { text } else { nil } },
        .event("save", .save)
    )
}

extension AppEvents.Orders: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "orders",
        .event("open", .open),
        .event("didSelect", Self.didSelect, "order") { if case .didSelect(let order) = $0 { order } else { nil } }
    )
}
