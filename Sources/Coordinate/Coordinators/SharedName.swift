internal import Synchronization

/// Names that many trees have in common, each kept once: those of classes, and ids.
///
/// All sessions of an app have coordinators of the same ids, and texts of their own for them would be a fifth of what a
/// session takes. The table is bounded: what does not fit in is just not shared.
enum SharedName {
    private static let maximumCount = 1 << 14
    private static let maximumLength = 512
    private static let names = Mutex<Set<String>>([])

    /// The same name, in the memory that others have it in.
    static func of(_ name: String) -> String {
        guard name.utf8.count <= maximumLength else { return name }
        return names.withLock { names in
            guard names.count < maximumCount else { return names.firstIndex(of: name).map { names[$0] } ?? name }
            return names.insert(name).memberAfterInsert
        }
    }
}
