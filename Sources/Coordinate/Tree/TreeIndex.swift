/// An index of a large tree: its coordinators by id, and the first numbers that may be free for siblings with the same
/// name.
///
/// Small trees have none, because a search is as fast there.
final class TreeIndex {
    /// The minimum number of coordinators for which a tree has an index.
    static let minimumCount = 24

    private var references: [String: CoordinatorReference] = [:]
    /// The coordinators that share their id with another one. One of the two has left its place, and is about to end.
    private(set) var doubles: [CoordinatorReference] = []
    /// The first number that may be free for each id without a number, with the coordinator that owns the children. All
    /// numbers from 2 up to it are taken.
    private var numbers: [String: (owner: CoordinatorReference, number: Int)] = [:]

    /// - Parameter root: The root of the tree. All coordinators below it are inserted.
    init(of root: CoordinatorNode) {
        insertAll(below: root)
    }

    private func insertAll(below node: CoordinatorNode) {
        for child in node.ownedNodes {
            insert(child)
            insertAll(below: child)
        }
    }

    // MARK: Ids

    subscript(id: String) -> CoordinatorNode? { references[id]?.node }

    func has(_ id: String, where isRight: (CoordinatorNode) -> Bool) -> Bool {
        if let node = references[id]?.node, isRight(node) { return true }
        return doubles.contains { $0.node.map { $0.idInTree == id && isRight($0) } ?? false }
    }

    func insert(_ node: CoordinatorNode) {
        guard let id = node.idInTree else { return }
        guard let other = references[id], other !== node.reference, other.node != nil else {
            references[id] = node.reference
            return
        }
        if !doubles.contains(where: { $0 === node.reference }) { doubles.append(node.reference) }
    }

    /// Removes a coordinator that still has its id.
    func remove(_ node: CoordinatorNode) {
        guard let id = node.idInTree else { return }
        releaseNumber(of: id)
        if !doubles.isEmpty { doubles.removeAll { $0 === node.reference || $0.node == nil } }
        guard references[id] === node.reference else { return }
        references[id] = nil
        if let double = doubles.firstIndex(where: { $0.node?.idInTree == id }) {
            references[id] = doubles.remove(at: double)
        }
    }

    // MARK: Numbers

    /// Returns the number at which to begin the search for a free one. All smaller ones are taken.
    func firstNumber(for id: String, in owner: CoordinatorNode) -> Int {
        guard let known = numbers[id], known.owner === owner.reference else { return 2 }
        return known.number
    }

    /// Records that all numbers before this one are taken.
    func record(_ number: Int, for id: String, in owner: CoordinatorNode) {
        numbers[id] = (owner.reference, number)
    }

    /// Records that an id may be free again.
    func releaseNumber(of id: String) {
        guard !numbers.isEmpty, let dash = id.utf8.lastIndex(of: UInt8(ascii: "-")),
            let number = Int(id[id.utf8.index(after: dash)...])
        else { return }
        let name = String(id[..<dash])
        guard let known = numbers[name], known.number > number else { return }
        numbers[name] = (known.owner, Swift.max(number, 2))
    }

    /// Records that any id may be free again.
    func releaseNumbers() {
        numbers = [:]
    }
}
