/// A list of coordinators that store their own positions, so that finding one is as fast in a long list as in a short
/// one.
///
/// A coordinator is usually in one list, and its stored position is right. While an app moves it, it may be in two
/// lists, and its position is searched for.
struct NodeList: RandomAccessCollection {
    /// The position of a coordinator, stored in the coordinator itself.
    struct Place {
        fileprivate var lists: Int32 = 0
        /// The position in its only list; -1 if it must be searched for.
        fileprivate var index: Int32 = -1
    }

    private(set) var nodes: [CoordinatorNode] = []

    var startIndex: Int { 0 }
    var endIndex: Int { nodes.count }
    subscript(position: Int) -> CoordinatorNode { nodes[position] }
    func makeIterator() -> IndexingIterator<[CoordinatorNode]> { nodes.makeIterator() }

    func position(of node: CoordinatorNode) -> Int? {
        let place = node.place
        guard place.lists > 0 else { return nil }
        let index = Int(place.index)
        if nodes.indices.contains(index), nodes[index] === node { return index }
        return place.lists == 1 && index >= 0 ? nil : nodes.firstIndex { $0 === node }
    }

    func contains(_ node: CoordinatorNode) -> Bool { position(of: node) != nil }

    mutating func append(_ node: CoordinatorNode) {
        node.place.lists += 1
        node.place.index = Int32(nodes.count)
        nodes.append(node)
    }

    mutating func remove(_ node: CoordinatorNode) {
        guard let index = position(of: node) else { return }
        nodes.remove(at: index)
        recordDeparture(of: node)
        for (index, node) in zip(index..., nodes[index...]) where node.place.lists == 1 {
            node.place.index = Int32(index)
        }
    }

    mutating func replace(from index: Int, with others: [CoordinatorNode]) {
        for node in nodes[index...] { recordDeparture(of: node) }
        nodes.removeSubrange(index...)
        for node in others { append(node) }
    }

    private func recordDeparture(of node: CoordinatorNode) {
        node.place.lists -= 1
        node.place.index = -1
        node.releaseNumber()
    }
}
