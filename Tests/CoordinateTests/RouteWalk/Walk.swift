import Coordinate

extension RouteWalk {
    /// A random walk through the app: each step is one turn.
    final class Walk {
        let world: World
        private(set) var home: Home!
        private(set) var history: [String] = []
        /// What is wrong, `nil` if nothing is.
        private(set) var fault: String?
        /// The user's wish that waits for an answer, where nothing else has happened since.
        var wish: Wish?
        let links: Links
        private let seed: UInt64
        let isTwin: Bool
        private var stepCount = 0

        init(seed: UInt64, links: Links, isTwin: Bool = false) {
            self.seed = seed
            self.links = links
            self.isTwin = isTwin
            world = World(seed: seed, style: Style.allCases[Int(seed % 3)])
            world.hasGuards = seed / 3 % 2 == 1
            world.hasQuestions = seed / 6 % 2 == 1
            world.isLoggedIn = !world.hasGuards
            home = Home(world)
            turn("start") { home.start() }
        }

        /// One step; nothing once a fault was found.
        func step() {
            guard fault == nil else { return }
            switch world.number(below: 20) {
            case 0...8: use()
            case 9 where world.hasGuards: change("log in or out") { world.isLoggedIn.toggle() }
            case 10 where world.hasGuards: change("take or lose the key") { world.hasKey.toggle() }
            case 11 where world.hasQuestions:
                let node = world.pick(world.started)
                turn("change \(node.id)") { node.isDirty.toggle() }
            default:
                wish = nil
                let count = world.happens(oneIn: 3) ? 1 + world.number(below: 3) : 1
                turn("act") { for _ in 0..<count { act() } }
            }
            stepCount += 1
        }

        /// The same walk up to here without questions, one step ahead.
        var twin: Walk {
            let twin = Walk(seed: seed, links: links, isTwin: true)
            for _ in 0..<stepCount { twin.step() }
            twin.world.asks = false
            twin.step()
            return twin
        }

        // MARK: Turns

        func note(_ what: String) {
            if !isTwin { history.append("  " + what) }
        }

        func turn(_ what: String, _ body: () -> Void) {
            if !isTwin { history.append(what) }
            do {
                try home.turn(body)
            } catch {
                return fail("\(error)")
            }
            if isTwin { world.forgetFlows() } else { check() }
        }

        private func check() {
            world.checkFlows()
            if let first = world.faults.first { return fail(first) }
            let state = home.navigationState
            history.append("    → \(state.path) \(Links.chain(of: state).joined(separator: " > "))")
            let model = Model(state)
            if model.root.chain.filter({ $0.presenter != nil }).count > 1 { count("modals on modals") }
            if model.path?.isExplained == true { count("explained screens") }
            if let difference = Checks.difference(between: state, and: model) { return fail(difference) }
            if home.path != state.path { return fail("the path is \(home.path), and in the picture \(state.path)") }
            let visible = model.root.chain.filter { $0.type != "AlertCoordinator" }
            if world.activeCount != visible.count { return fail("\(world.activeCount) are active") }
            if Routes.refusal(of: state.path, in: world) != nil { return fail("\(state.path) is shown, and refused") }
            if let id = model.hidden.first(where: { isRefused($0, in: model) })?.id { return fail("\(id) is refused") }
            if let wrong = links.fault(of: model, in: world) { return fail(wrong) }
            checkParked(state)
            if stepCount.isMultiple(of: 4) { checkOpeningThePresentPath(state) }
        }

        private func isRefused(_ part: Part, in model: Model) -> Bool {
            guard part.isStarted, let place = model.path(of: part), place.isExplained else { return false }
            return Routes.refusal(of: place.full, in: world) != nil
        }

        private func checkOpeningThePresentPath(_ state: NavigationState) {
            let isOpened = home.visibleLeaf.emitEvent(NavigationEvents.open(state.path)).isHandled
            if isOpened, home.navigationState != state {
                fail("\(state.path) is there, and opening it changes something")
            }
        }

        func count(_ what: String) {
            links.counts[what, default: 0] += 1
        }

        func fail(_ what: String) {
            if fault == nil { fault = what }
        }

        /// Ends the app. What is left of it then is a fault.
        func end() {
            home.stop()
            world.checkFlows()
            home = nil
            if let first = world.faults.first { fail("at the end: \(first)") }
            if world.livingCount != 0 { fail("\(world.livingCount) coordinators are left") }
        }

        // MARK: Parked links

        /// A link is parked only as long as its guard refuses it, and can be opened.
        private func checkParked(_ state: NavigationState) {
            guard let parked = state.parked else { return }
            if world.isLoggedIn, world.hasKey { return fail("\(parked) is parked, and granted") }
            if Routes.refusal(of: parked, in: world)?.isParking != true {
                return fail("\(parked) is parked, and no guard refuses it")
            }
            if links.end(of: parked, in: world).path == "nowhere" {
                return fail("\(parked) is parked, and leads nowhere")
            }
        }

        /// Changes what the guards go by.
        private func change(_ what: String, _ body: () -> Void) {
            wish = nil
            let before = home.navigationState
            turn(what, body)
            guard fault == nil, !isTwin else { return }
            let after = home.navigationState
            let refusal = Routes.refusal(of: before.path, in: world)
            if let refusal, refusal.isParking, before.parked == nil || after.parked != before.parked {
                guard let parked = after.parked, before.path.hasPrefix(parked) else {
                    return fail("\(after.parked ?? "nothing") is parked, not \(before.path)")
                }
                if after.path != Routes.end(of: refusal.path, in: world) { fail("\(refusal.path) is not gone to") }
            } else if refusal == nil, before.path != after.path || !isWhatIsLeft(after, of: before) {
                checkTaking(before, after)
            }
        }

        /// Whether nothing is new, and the same screen is visible unless it has ended: hidden screens that are refused end,
        /// with what they presented.
        private func isWhatIsLeft(_ after: NavigationState, of before: NavigationState) -> Bool {
            let (former, present) = (Model(before).ids, Model(after).ids)
            guard present.isSubset(of: former) else { return false }
            return before.leaf == after.leaf ? before.screen == after.screen : !present.contains(before.leaf)
        }

        /// If no guard refuses what is visible, only a granted link changes it.
        private func checkTaking(_ before: NavigationState, _ after: NavigationState) {
            guard let parked = before.parked else {
                return fail("no guard refused \(before.path), and something changed")
            }
            let refusal = Routes.refusal(of: parked, in: world)
            // The one whose guard it waited for may be gone.
            if refusal != nil, after.path == before.path, parked.hasPrefix("/main/desk/draft") { return }
            count("links taken up")
            let end = Routes.end(of: parked, in: world)
            if after.path != end { return fail("\(parked) is granted and leads to \(after.path), not \(end)") }
            if after.parked != (refusal?.isParking == true ? parked : nil) { fail("\(parked) is not taken up once") }
        }
    }
}
