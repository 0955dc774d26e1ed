// What may be asked of a navigation coordinator by others, whose stack they share.
extension CoordinatorNode {
    /// Pushes a coordinator, or pops to it where it is on the stack already.
    final func push(_ child: CoordinatorNode) {
        request(
            NavigationRequest(showing: child) { [self] in
                if prepare(child) { bringToTop(child) }
            })
    }

    /// Pushes a coordinator that belongs to another one on the stack, or below it.
    final func push(_ child: CoordinatorNode, inSectionOf owner: CoordinatorNode) {
        owner.sampleRoute()
        owner.noteSubject(child)
        request(
            NavigationRequest(showing: child) { [self] in
                guard owner.section?.stack === self else { return }
                if child.parentNode === owner, !children.contains(child) { child.leavePlace() }
                if child.parentNode === owner && isShowing(child) || owner.prepare(child) { bringToTop(child) }
            })
    }

    /// Takes entries off the stack, wherever they are in it.
    final func pop(_ entries: [CoordinatorNode]) {
        request(
            NavigationRequest { [self] in
                let leaving = Set(entries.map(ObjectIdentifier.init))
                setChildren(children.filter { !leaving.contains(ObjectIdentifier($0)) })
            })
    }

    private final func bringToTop(_ child: CoordinatorNode) {
        if let index = children.position(of: child) {
            setChildren(keeping: index + 1)
        } else {
            setChildren(keeping: children.count, then: [child])
        }
    }
}
