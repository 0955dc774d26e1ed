import Coordinate

extension RouteWalk {
    /// A random walk through the app: each step is one turn.
    final class Walk {
        let world: World
        let home: Home
        private(set) var history: [String] = []
        /// What is wrong, nil where nothing is.
        private(set) var fault: String?
        private let links: Links
        private let hasGuards: Bool
        private let hasDirt: Bool

        init(seed: UInt64, links: Links) {
            world = World(seed: seed, style: Style.allCases[Int(seed % 3)])
            self.links = links
            hasGuards = seed / 3 % 2 == 1
            hasDirt = seed / 6 % 2 == 1
            world.hasGuards = hasGuards
            world.isLoggedIn = !hasGuards
            home = Home(world)
            turn("start") { home.start() }
        }

        // MARK: Steps

        /// One step; nothing once a fault was found.
        func step() {
            guard fault == nil else { return }
            switch world.number(below: 20) {
            case 0...8: use()
            case 9 where hasGuards:
                turn("log in or out") { world.isLoggedIn.toggle() }
            case 10 where hasGuards:
                turn("take or lose the key") { world.hasKey.toggle() }
            default:
                let count = world.happens(oneIn: 3) ? 1 + world.number(below: 3) : 1
                turn("act") { for _ in 0..<count { act() } }
            }
        }

        /// What a user's hand does.
        private func use() {
            let event: NavigationEvents =
                switch world.number(below: 12) {
                case 0...2: .back
                case 3: .popToRoot
                case 4, 5: .dismiss
                case 6...8: .selectTab(world.pick(["Shelf", "Desk", "Me", "Single", "Single-2"]))
                default: .open(link())
                }
            if case .open(let path) = event { follow(path) } else { turn("\(event)") { emit(event) } }
        }

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

        private func follow(_ path: String) {
            let before = home.path
            turn("open \(path)") { emit(.open(path)) }
            guard fault == nil, before != path else { return }
            let there = links.end(of: path, in: world)
            if home.path != there.path {
                fail("\(path) leads to \(home.path), not \(there.path)")
            } else if chain != there.chain {
                fail("\(path) leads to \(chain), not \(there.chain)")
            }
        }

        private func emit(_ event: NavigationEvents) {
            home.visibleLeaf.getRootViewController().emitEvent(event)
        }

        private var chain: [String] { Links.chain(of: home.navigationState) }

        // MARK: What the app does

        private func act() {
            let node = world.pick(world.started)
            switch world.number(below: 10) {
            case 0:
                note("present on \(node.id)")
                node.present(loose(), animated: false)
            case 1:
                note("dismiss \(node.id)")
                node.dismiss()
            case 2 where node !== home && (!(node is any TabBarCoordinating) || world.happens(oneIn: 4)):
                note("stop \(node.id)")
                node.stop()
            case 3: useSection(of: node)
            default: act(on: node)
            }
        }

        private func act(on node: any WalkedNode) {
            let number = world.number(below: 10)
            note("act \(number) on \(node.id)")
            switch node {
            case let home as Home: home.goTo(world.pick([.splash, .login, .help, .panel(.left), .main(nil), .main(.about)]))
            case let main as Main: main.goTo(world.pick([.shelf(nil), .desk(nil), .me(.pick), .about]))
            case let wizard as Wizard: wizard.goTo(.step(number % 4))
            case let panel as Panel: panel.goTo(world.pick([.left, .right]))
            case let shelf as Shelf: act(on: shelf, number)
            case let desk as Desk:
                world.happens(oneIn: 4)
                    ? push(on: desk) : desk.push(world.pick([.compare, .draft(number % 3), .result(number % 3), .list]))
            case let folder as Folder:
                world.happens(oneIn: 3)
                    ? push(on: folder) : folder.put(Single("Page \(number % 3)", world), for: .page(number % 3))
            case let sheet as Sheet:
                world.happens(oneIn: 3)
                    ? push(on: sheet) : sheet.put(Single("Page \(number % 3)", world), for: .page(number % 3))
            case let me as Me: me.goTo(world.pick([.edit(number % 3), .pick, .sheet(.page(1)), .overview]))
            case let compare as Compare: compare.show(number % 3)
            case let flow as any Flow: world.finish(flow)
            default: node.dismiss()
            }
        }

        private func act(on shelf: Shelf, _ number: Int) {
            switch world.number(below: 8) {
            case 0: push(on: shelf)
            case 1: shelf.goTo(.item(number))
            case 2: shelf.popToCoordinator(world.pick(shelf.stacked), animated: false)
            default:
                shelf.push(
                    world.pick([
                        .item(number), .item(number), .folder(.page(number % 3)), .folder(nil), .edit(number % 3),
                        .sheet(.page(number % 3)), .checkout, .pick, .list,
                    ]))
            }
        }

        private func push(on stack: any StackCoordinating) {
            stack.show(Single("Loose Note", world), sender: nil)
        }

        private func useSection(of node: any WalkedNode) {
            let section = SectionedNavigationController(for: node)
            let number = world.number(below: 9)
            note("section \(number) of \(node.id)")
            switch number {
            case 0: section.pop()
            case 1: section.popToSectionRoot()
            case 2: section.popSection()
            case 3: section.dismissTop()
            case 4: section.dismissAll()
            case 5: section.present(loose())
            case 6:
                let pick = Pick("Loose Pick", world)
                section.push(pick, world.handler(of: pick))
            default: section.push(Single("Loose Note", world))
            }
        }

        /// Something that is shown for no route.
        private func loose() -> any Coordinating {
            switch world.number(below: 6) {
            case 0: Sheet("Loose Sheet", world)
            case 1: Panel("Loose Panel", world)
            default: Single("Loose Note", world)
            }
        }

        // MARK: Turns

        private func note(_ what: String) { history.append("  " + what) }

        private func turn(_ what: String, _ body: () -> Void) {
            history.append(what)
            do {
                try home.turn(body)
            } catch {
                return fail("\(error)")
            }
            check()
        }

        private func check() {
            world.checkFlows()
            if let first = world.faults.first { return fail(first) }
            let state = home.navigationState
            history.append("    → \(state.path) \(Links.chain(of: state).joined(separator: " > "))")
            let model = Model(state)
            if let difference = Checks.difference(between: state, and: model) { return fail(difference) }
            if home.path != state.path { return fail("the path is \(home.path), and in the picture \(state.path)") }
            let visible = model.root.chain.filter { $0.type != "AlertCoordinator" }
            if world.activeCount != visible.count { return fail("\(world.activeCount) are active") }
            if let wrong = links.fault(of: model, in: world) { return fail(wrong) }
        }

        private func fail(_ what: String) {
            if fault == nil { fault = what }
        }

        /// Ends the app. What is left of it then is a fault.
        func end() {
            home.stop()
            world.checkFlows()
            if let first = world.faults.first { fail("at the end: \(first)") }
        }
    }
}

extension RouteWalk.Pile {
    /// What is on the stack, bottom first.
    var stacked: [any Coordinating] {
        let known = world.started
        return rootViewController.viewControllers.compactMap { screen in
            known.first { $0.getRootViewController() === screen }
        }
    }
}
