/// The rest of a path that is being read: parts in their order, items of the query in any.
@usableFromInline
struct UnreadPath: Sendable {
    var parts: ArraySlice<String>
    var items: [RoutePath.Item]

    init(_ path: RoutePath) {
        parts = path.components[...]
        items = path.query
    }

    @usableFromInline var isEmpty: Bool { parts.isEmpty && items.isEmpty }
}
