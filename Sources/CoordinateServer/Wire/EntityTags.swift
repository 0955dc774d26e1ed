/// A list of entity tags as a header has it: `"4-x", W/"5-x"`, or `*` for any (RFC 9110, section 8.8.3).
struct EntityTags: Equatable, Sendable {
    private var isAny = false
    private var strong: [Substring] = []
    private var weak: [Substring] = []

    /// Reads a header, up to where it is no list of tags any more.
    init(_ header: String) {
        var rest = header[...]
        func skip(_ characters: Set<Character>) { rest = rest.drop { characters.contains($0) } }
        skip([" ", "\t"])
        isAny = rest == "*"
        while !isAny {
            skip([" ", "\t", ","])
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return }
            let tag = rest[...end]
            if isWeak { weak.append(tag) } else { strong.append(tag) }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Whether a strong tag is among them, by the strong comparison: a weak one is equal to nothing.
    func contains(_ tag: String) -> Bool {
        isAny || strong.contains(tag[...])
    }

    /// Whether a strong tag is among them, by the weak comparison.
    func containsWeakly(_ tag: String) -> Bool {
        contains(tag) || weak.contains(tag[...])
    }
}

/// What a client asks to be so, of a session's route, before anything is done (RFC 9110, section 13).
struct Preconditions: Equatable, Sendable {
    /// One of these must be the current tag: `If-Match`.
    var match: EntityTags?
    /// None of these may be: `If-None-Match`.
    var noneMatch: EntityTags?

    static let none = Preconditions()

    /// Whether the route may be changed.
    func allowChange(of tag: @autoclosure () -> String) -> Bool {
        match?.contains(tag()) != false && !know(tag())
    }

    /// Whether the client has the route already.
    func know(_ tag: @autoclosure () -> String) -> Bool {
        noneMatch?.containsWeakly(tag()) == true
    }
}
