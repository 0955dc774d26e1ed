import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A case of an enum of routes, with its path.
struct DeclaredRoute {
    /// The literal of the path in source.
    let literal: ExprSyntax
    private let declared: DeclaredCase
    private let pattern: PathPattern
    private let isNested: Bool

    var name: String { declared.name }

    /// Checks that the path has a place for each value, except for a child's route.
    init?(_ declared: DeclaredCase, in context: some MacroExpansionContext) {
        guard let literal = declared.path(in: context) else { return nil }
        guard let text = literal.literalText else {
            context.complain(at: literal, "a path is a literal without values in it: \"team/{team}\"")
            return nil
        }
        pattern = PathPattern(text)
        if let problem = pattern.problem {
            context.complain(at: literal, problem)
            return nil
        }
        self.literal = literal
        self.declared = declared
        let missing = declared.values.count - pattern.places.count
        isNested = missing == 1
        guard missing == 0 || missing == 1 else {
            let places = pattern.places.count
            context.complain(
                at: literal,
                """
                the path has \(places) \(places == 1 ? "place" : "places") in braces, and '\(declared.name)' has \
                \(declared.values.count) \(declared.values.count == 1 ? "value" : "values"): write a place for each
                """)
            return nil
        }
        guard !isNested || leadsOn(in: context), fits(in: context) else { return nil }
    }

    /// Whether a later route has the same path and values of the same types.
    func hides(_ other: DeclaredRoute) -> Bool {
        guard !isNested, !other.isNested, pattern.hasShape(of: other.pattern) else { return false }
        let types = [self, other].map { $0.declared.values.map(\.type.trimmedDescription) }
        return literal.literalText == other.literal.literalText || types[0] == types[1]
    }

    /// The case's line in the declaration: `.route("team/{team}", Self.team) { … }`.
    var written: String {
        let kind = isNested ? "nested" : "route"
        let path = (literal.literalText ?? "").asLiteral
        guard !declared.values.isEmpty else { return ".\(kind)(\(path), \(declared.reference))" }
        let end = isNested && literal.literalText?.isEmpty == false ? ", endsHere: true" : ""
        return ".\(kind)(\(path), Self\(declared.reference)\(end)) \(declared.extraction(variables))"
    }

    /// A unique name for each value: its own, or the name of its place.
    private var variables: [String] {
        var names: [String] = []
        for (index, value) in declared.values.enumerated() {
            let place = index < pattern.places.count ? pattern.places[index] : "child"
            let name = value.name ?? place
            let isFree = !names.contains(name) && (value.name != nil || name.asVariable == name)
            names.append(isFree ? name : "value\(index + 1)")
        }
        return names
    }

    /// Checks that the last value, which has no place in the path, can be a child's route.
    private func leadsOn(in context: some MacroExpansionContext) -> Bool {
        guard let child = declared.values.last else { return false }
        guard let wrapped = child.type.wrapped, !wrapped.isPlain, !wrapped.isList else {
            let place = child.name ?? child.type.valueName ?? "value"
            let longer = pattern.adding(place: place).asLiteral
            var corrections = [FixIt.writing(longer, over: literal, "write the path \(longer)")]
            var way = "write the path \(longer)"
            if child.type.wrapped == nil, !child.type.isPlain, !child.type.isList {
                way += ", or '\(child.type.trimmedDescription)?' where it is the route of a child"
                corrections.append(
                    .writing(
                        "\(child.type.trimmedDescription)?", over: child.type,
                        "write '\(child.type.trimmedDescription)?'"))
            }
            context.complain(at: child.syntax, "the path has no place for this value: \(way)", corrections: corrections)
            return false
        }
        if declared.values.count > 4 {
            context.complain(
                at: declared.element.name,
                """
                '\(declared.name)' has \(declared.values.count - 1) values besides the child's route, and three are \
                the most: make one type of some of them
                """)
            return false
        }
        return true
    }

    /// Checks that the values' types are allowed in their places.
    private func fits(in context: some MacroExpansionContext) -> Bool {
        let values = declared.values.prefix(pattern.places.count)
        for (index, value) in values.enumerated() {
            if value.type.isList || value.type.isSecret {
                let kind = value.type.isSecret ? "secret" : "list"
                context.complain(
                    at: value.syntax, "a \(kind) cannot stand in a path: take it out of '\(declared.name)'")
                return false
            }
            if index < pattern.placesInParts.count, let wrapped = value.type.wrapped {
                let place = pattern.places[index]
                context.complain(
                    at: value.syntax,
                    """
                    an optional value stands in the query: write '?\(place)={\(place)}' at the end of the path, or \
                    '\(wrapped.trimmedDescription)' here
                    """)
                return false
            }
        }
        let names = values.compactMap(\.name)
        if names.count == values.count, names != pattern.places, names.sorted() == pattern.places.sorted() {
            context.complain(
                at: literal,
                """
                the values of '\(declared.name)' have another order than their places, those of the query last: write \
                them in the order \(pattern.places.joined(separator: ", "))
                """)
            return false
        }
        return true
    }
}

extension DeclaredCase {
    /// The path expression that marks the case.
    fileprivate func path(in context: some MacroExpansionContext) -> ExprSyntax? {
        let marks = declaration.attributes.all(named: "Path")
        guard let mark = marks.first else {
            let places = values.map { "/{\($0.name ?? $0.type.valueName ?? "value")}" }.joined()
            let offer = "@Path(\((name + places).asLiteral))"
            context.complain(
                at: element.name, "'\(name)' has no path: write one in front of the case, '\(offer)'",
                corrections: declaration.elements.count == 1
                    ? [.inserting("\(offer) ", before: declaration, "write '\(offer)'")] : [])
            return nil
        }
        if declaration.elements.count > 1 {
            // Reports one error for all of them.
            if element.id == declaration.elements.first?.id {
                context.complain(at: mark, "@Path belongs to one case: write each of these in a line of its own")
            }
            return nil
        }
        if marks.count > 1 {
            context.complain(
                at: marks[1], "'\(name)' has a path already: take one away, or declare these routes by hand")
            return nil
        }
        return mark.argument
    }
}
