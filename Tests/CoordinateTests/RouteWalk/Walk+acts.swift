import Coordinate

// What the app does by itself.
extension RouteWalk.Walk {
    func act() {
        let node = world.pick(world.started)
        switch world.number(below: 10) {
        case 0:
            note("present on \(node.id)")
            node.present(loose(), animated: false)
        case 1:
            note("dismiss \(node.id)")
            node.dismiss()
        case 2 where mayStop(node):
            note("stop \(node.id)")
            node.stop()
        case 3: useSection(of: node)
        default: act(on: node)
        }
    }

    /// Whether the app knows the route of what is seen then: a tab that takes the place of another has one where it is
    /// said with the tabs.
    private func mayStop(_ node: any RouteWalk.WalkedNode) -> Bool {
        let bar = node.parentCoordinator as? any TabBarCoordinating & RouteWalk.Walker
        if let bar, !bar.saysRouteByShowing { return false }
        return node !== home && (bar == nil || world.happens(oneIn: 4))
    }

    private func act(on node: any RouteWalk.WalkedNode) {
        let number = world.number(below: 10)
        note("act \(number) on \(node.id)")
        switch node {
        case let home as RouteWalk.Home where number < 3: home.raise(RouteWalk.Single("Help", world), for: .help)
        case let home as RouteWalk.Home:
            home.goTo(
                world.pick([.splash, .login, .help, .panel(.left), .panel(.right), .main(nil), .main(.about)]))
        case let main as RouteWalk.Main where number < 3: main.raise(RouteWalk.Single("About", world), for: .about)
        case let main as RouteWalk.Main: main.goTo(world.pick([.shelf(nil), .desk(nil), .me(.pick), .about]))
        case let wizard as RouteWalk.Wizard: wizard.goTo(.step(number % 4))
        case let panel as RouteWalk.Panel: panel.goTo(world.pick([.left, .right]))
        case let shelf as RouteWalk.Shelf: act(on: shelf, number)
        case let desk as RouteWalk.Desk:
            world.happens(oneIn: 4)
                ? push(on: desk)
                : desk.push(world.pick([.compare, .draft(number % 3), .result(number % 3), .list]))
        case let folder as RouteWalk.Folder:
            world.happens(oneIn: 3)
                ? push(on: folder) : folder.put(RouteWalk.Single("Page \(number % 3)", world), for: .page(number % 3))
        case let sheet as RouteWalk.Sheet:
            world.happens(oneIn: 3)
                ? push(on: sheet) : sheet.put(RouteWalk.Single("Page \(number % 3)", world), for: .page(number % 3))
        case let me as RouteWalk.Me: me.goTo(world.pick([.edit(number % 3), .pick, .sheet(.page(1)), .overview]))
        case let compare as RouteWalk.Compare: compare.show(number % 3)
        case let flow as any RouteWalk.Flow: world.finish(flow)
        default: node.dismiss()
        }
    }

    private func act(on shelf: RouteWalk.Shelf, _ number: Int) {
        switch world.number(below: 8) {
        case 0: push(on: shelf)
        case 1: shelf.goTo(.item(number))
        case 2 where !shelf.stacked.isEmpty: shelf.popToCoordinator(world.pick(shelf.stacked), animated: false)
        default:
            shelf.push(
                world.pick([
                    .item(number), .item(number), .folder(.page(number % 3)), .folder(nil), .edit(number % 3),
                    .sheet(.page(number % 3)), .checkout, .pick, .list,
                ]))
        }
    }

    private func push(on stack: any StackCoordinating) {
        stack.show(RouteWalk.Single("Loose Note", world), sender: nil)
    }

    private func useSection(of node: any RouteWalk.WalkedNode) {
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
            let pick = RouteWalk.Pick("Loose Pick", world)
            section.push(pick, world.handler(of: pick))
        default: section.push(RouteWalk.Single("Loose Note", world))
        }
    }

    /// Something that is shown for no route.
    private func loose() -> any Coordinating {
        switch world.number(below: 6) {
        case 0: RouteWalk.Sheet("Loose Sheet", world)
        case 1: RouteWalk.Panel("Loose Panel", world)
        default: RouteWalk.Single("Loose Note", world)
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
