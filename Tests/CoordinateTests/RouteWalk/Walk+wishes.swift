import Coordinate

extension RouteWalk {
    /// A user's wish that waits for the answer to an alert.
    struct Wish {
        /// The state before the question.
        let before: NavigationState
        /// The path and the screens where the wish is granted.
        let path: String
        let chain: [String]
    }
}

extension RouteWalk.Walk {
    /// A coordinator with changes, before something happens.
    struct Dirt {
        let serial: Int
        let id: String
        let isSeen: Bool
    }
}

// What a user's hand does.
extension RouteWalk.Walk {
    func use() {
        let isAsked = home.visibleLeaf.isAlert
        let event: NavigationEvents =
            switch world.number(below: 12) {
            case 0...5 where isAsked: .choose(world.pick(["stay", "discard", "discard", "other"]))
            case 0...2: .back
            case 3: .popToRoot
            case 4, 5: .dismiss
            case 6...8: .selectTab(world.pick(["Shelf", "Desk", "Me", "Single", "Single-2"]))
            default: .open(link())
            }
        if isAsked { return answer(with: event) }
        let before = home.navigationState
        let dirty = world.started.filter(\.isDirty).map {
            Dirt(serial: $0.serial, id: $0.id, isSeen: $0.life == .active)
        }
        let guardedCount = world.guardedCount
        turn("\(event)") { emit(event) }
        guard fault == nil, !isTwin else { return }
        wish = nil
        // A guard asks no question.
        if !event.isLink, world.guardedCount != guardedCount { return }
        if world.asks, !dirty.isEmpty { check(event, dirty, before) }
        if case .open(let path) = event, !home.visibleLeaf.isAlert { check(link: path, from: before) }
    }

    private func emit(_ event: NavigationEvents) {
        home.visibleLeaf.getRootViewController().emitEvent(event)
    }

    private var chain: [String] { RouteWalk.Links.chain(of: home.navigationState) }

    private func link() -> String {
        let number = world.number(below: 10)
        let small = number % 4
        return world.pick([
            "/splash", "/login", "/help", "/panel/left", "/panel/right", "/wizard/step/\(small)", "/main/about",
            "/main/shelf", "/main/shelf/item/\(number)", "/main/shelf/item/\(number)", "/main/shelf/folder",
            "/main/shelf/folder/page/\(small)", "/main/shelf/edit/\(small)", "/main/shelf/sheet",
            "/main/shelf/sheet/page/\(small)", "/main/shelf/checkout", "/main/shelf/pick",
            "/main/desk", "/main/desk/compare", "/main/desk/compare/\(small)", "/main/desk/draft/\(small)",
            "/main/me", "/main/me/edit/\(small)", "/main/me/pick", "/main/me/sheet/page/\(small)",
        ])
    }

    /// A link leads to the same from everywhere.
    private func check(link path: String, from before: NavigationState) {
        guard before.path != path else { return }
        let state = home.navigationState
        let parked = RouteWalk.Routes.refusal(of: path, in: world)?.isParking == true ? path : nil
        if state.parked != parked { return fail("\(state.parked ?? "nothing") is parked, not \(parked ?? "nothing")") }
        count("links")
        let there = links.end(of: path, in: world)
        // If a guard leads to the current screen, that screen stays.
        let isRefused = RouteWalk.Routes.refusal(of: path, in: world) != nil
        if isRefused, before.path.hasPrefix(there.path) { return }
        if isRefused, state.path.hasPrefix(there.path) { return }
        if state.path != there.path {
            fail("\(path) leads to \(state.path), not \(there.path)")
        } else if chain != there.chain, RouteWalk.Part(state.tree).chain.last?.kind == .leaf {
            fail("\(path) leads to \(chain), not \(there.chain)")
        }
    }

    // MARK: Questions

    /// A coordinator with changes asks when it would be left, and only then.
    private func check(_ event: NavigationEvents, _ dirty: [Dirt], _ before: NavigationState) {
        guard !home.visibleLeaf.isAlert else { return checkQuestion(about: event, dirty, before) }
        let model = RouteWalk.Model(before)
        // Behind a modal an app may do what it likes: no hand reaches there.
        if case .selectTab(let tab) = event,
            !before.tabs.contains(where: { $0.action.payload[field: "tab"] == .string(tab) })
        {
            return
        }
        for dirt in dirty where !isRefused(event) && !event.leadsOn(from: model, dirt.id) {
            let left = isLeft(dirt)
            if left.hidden || left.ended && !event.isLink { fail("\(event) leaves \(dirt.id), which is not asked") }
        }
    }

    /// A twin of this walk without questions shows what would be left.
    private func checkQuestion(about event: NavigationEvents, _ dirty: [Dirt], _ before: NavigationState) {
        let asker = home.visibleLeaf.parentCoordinator as? any RouteWalk.WalkedNode
        guard let asker, let known = dirty.first(where: { $0.serial == asker.serial }) else {
            return fail("a coordinator without changes asks")
        }
        count("questions")
        let twin = twin
        let left = twin.isLeft(known)
        let end = twin.home.navigationState
        twin.end()
        if !left.ended, !left.hidden, !isRefused(event), !isOfSelectedTab(event, before) {
            fail("\(event) does not leave \(asker.id), which asks")
        }
        let state = home.navigationState
        if state.path != before.path { fail("the path is \(state.path) while \(before.path) asks") }
        // A question about another wish, covered by now, is taken off the screen.
        guard !RouteWalk.Part(before.tree).all.contains(where: { $0.type == "AlertCoordinator" }) else { return }
        wish = RouteWalk.Wish(before: before, path: end.path, chain: RouteWalk.Links.chain(of: end))
    }

    /// Whether a coordinator that had changes has ended, or has been hidden.
    private func isLeft(_ dirt: Dirt) -> (ended: Bool, hidden: Bool) {
        let node = world.started.first { $0.serial == dirt.serial }
        return (node == nil, dirt.isSeen && node?.life != .active)
    }

    private func isRefused(_ event: NavigationEvents) -> Bool {
        switch event {
        case .open(let path): RouteWalk.Routes.end(of: path, in: world) != path
        case .selectTab("Desk"): world.hasGuards && !world.isLoggedIn
        default: false
        }
    }

    /// An app may do something where a tab is tapped that is selected already.
    private func isOfSelectedTab(_ event: NavigationEvents, _ before: NavigationState) -> Bool {
        guard case .selectTab(let name) = event else { return false }
        return RouteWalk.Part(before.tree).all.contains { bar in
            bar.kind == .tabBar && bar.child?.id.dropFirst(bar.id.count + 1).hasPrefix(name) == true
        }
    }

    private func answer(with event: NavigationEvents) {
        let wish = wish
        self.wish = nil
        turn("\(event)") { emit(event) }
        guard fault == nil, !isTwin, let wish else { return }
        let state = home.navigationState
        switch event {
        case .choose("discard") where home.visibleLeaf.isAlert: self.wish = wish
        case .choose("discard"):
            count("wishes that went on")
            if state.path != wish.path { fail("discarding leads to \(state.path), not \(wish.path)") }
            if chain != wish.chain { fail("discarding leads to \(chain), not \(wish.chain)") }
        case .choose("stay"), .dismiss:
            count("wishes that were dropped")
            if state != wish.before { fail("staying changes something") }
        case .choose: self.wish = wish
        default: break
        }
    }
}

extension NavigationEvents {
    fileprivate var isLink: Bool { if case .open = self { true } else { false } }

    /// Whether this is a link to where something is, or on from there by its routes: then the app shows it anew or not.
    fileprivate func leadsOn(from model: RouteWalk.Model, _ id: String) -> Bool {
        guard case .open(let link) = self, let part = model.root.all.first(where: { $0.id == id }),
            let path = model.place(of: part)?.path
        else { return false }
        return link == path || RouteWalk.Routes.base(of: part.type) != nil && link.hasPrefix(path + "/")
    }
}

extension Coordinating {
    var isAlert: Bool { id.hasSuffix("/AlertCoordinator") }
}
