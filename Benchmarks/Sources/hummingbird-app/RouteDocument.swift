import Hummingbird

/// What a client sees, with every field of Coordinate's document.
struct RouteDocument: ResponseEncodable {
    let session: String
    let version: Int
    let path: String
    let leaf: String
    let breadcrumbs: [Breadcrumb]
    @OrNull var parked: String? = nil
    let pending: [String]
    let screen: Screen
    let navigation: Navigation
    let tree: Node

    struct Breadcrumb: Encodable {
        let title: String
        let path: String
    }

    struct Action: Encodable {
        let title: String
        let event: String
        let payload: [String: String]
        @OrNull var role: String? = nil
        @OrNull var opens: String? = nil
    }

    struct Image: Encodable {
        @OrNull var url: String? = nil
        @OrNull var symbol: String? = nil
        @OrNull var letters: String? = nil
        @OrNull var color: String? = nil
        var alt = ""
    }

    struct Screen: Encodable {
        let name: String
        let title: String
        let style = "page"
        let status = "ready"
        @OrNull var message: String? = nil
        let sections: [String] = []
        let rows: [Row]
        @OrNull var empty: String? = nil
        let actions: [Action]
        @OrNull var content: String? = nil
    }

    struct Row: Encodable {
        let id: String
        @OrNull var section: String? = nil
        let title: String
        @OrNull var subtitle: String? = nil
        @OrNull var image: Image? = nil
        let favorite: Bool
        let action: Action
        @OrNull var delete: Action? = nil
        @OrNull var value: String? = nil
        let actions: [Action] = []
    }

    struct Navigation: Encodable {
        @OrNull var back: Action? = nil
        let tabs: [Tab]
        @OrNull var dismiss: Action? = nil
    }

    struct Tab: Encodable {
        let title: String
        @OrNull var badge: String? = nil
        let image: Image
        let selected: Bool
        let action: Action
    }

    struct Node: Encodable {
        let id: String
        let coordinator: String
        let kind: String
        var started = true
        @OrNull var title: String? = nil
        @OrNull var badge: String? = nil
        @OrNull var route: String? = nil
        @OrNull var section: String? = nil
        @OrNull var index: Int? = nil
        @OrNull var presented: String? = nil
        var children: [Node] = []
    }
}

/// The answer to an event.
struct Outcome: ResponseEncodable {
    let version: Int
    let event: String
    let handled = true
    let handledBy: String
    let trace: [Step]
    let path: String
    let leaf: String
    /// `nil` if the client wants a short answer.
    let route: RouteDocument?

    struct Step: Encodable {
        let coordinator: String
        let intercepted: Bool
    }
}

/// A value whose absence is written as `null`. Synthesized conformances would leave out the whole field.
@propertyWrapper
struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
    let wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}
