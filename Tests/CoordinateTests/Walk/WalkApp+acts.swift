import Coordinate

// What the app does by itself.
extension WalkApp.House {
    /// Carries out an operation, or lets it wait for the moment that was chosen before.
    func act(_ operation: WalkApp.Operation) {
        if let moment = world.moment {
            world.moment = nil
            world.waiting[moment, default: []].append(operation)
            return
        }
        world.reach(.nextOperation)
        carryOut(operation)
    }

    func carryOut(_ operation: WalkApp.Operation) {
        let targets = startedCoordinators.compactMap { $0 as? any WalkApp.Node }
        guard !targets.isEmpty else { return }
        let target = targets[world.target % targets.count]
        var section: SectionedNavigationController { SectionedNavigationController(for: target) }
        switch operation {
        case .goToRoute: goToRoute(of: target)
        case .pushRoute: pushRoute(of: target)
        case .push: (target as? any StackCoordinating)?.show(WalkApp.Note("Loose", world), sender: nil)
        case .present: target.present(WalkApp.Note("Loose", world))
        case .presentSheet: (target as? WalkApp.Shelf)?.push(.sheet(.page(1)))
        case .dismiss: target.dismiss()
        case .stop where target !== self && !(target.parentCoordinator is WalkApp.Main) && !target.probe.isStopping:
            world.isStopping = true
            target.stop()
            world.isStopping = false
        case .stop: break
        case .popToBottom: (target as? Stack)?.popToRoot()
        case .pushFlow: pushFlow(on: target)
        case .presentFlow: presentFlow(WalkApp.Pick("Loose", world), on: target)
        case .presentCheckout: presentFlow(WalkApp.Checkout("Loose", world), on: target)
        case .finish where !target.probe.isStopping: finish(target)
        case .finish: break
        case .pushGuest: section.push(WalkApp.Note("Loose", world))
        case .pushGuestFlow:
            let pick = WalkApp.Pick("Loose", world)
            section.push(pick, world.handler(of: pick))
        case .popGuest: section.pop()
        case .popToSectionRoot: section.popToSectionRoot()
        case .popSection where !target.probe.isStopping: section.popSection()
        case .popSection: break
        case .presentGuest: section.present(WalkApp.Note("Loose", world))
        case .dismissGuests: section.dismissAll()
        case .change: target.probe.isChanged.toggle()
        }
        refill()
    }

    /// Shows the first screen of each stack that is empty.
    private func refill() {
        for coordinator in startedCoordinators {
            guard let stack = coordinator as? Stack, stack.rootViewController.viewControllers.isEmpty else { continue }
            switch stack {
            case let shelf as WalkApp.Shelf: shelf.push(.list)
            case let desk as WalkApp.Desk: desk.push(.list)
            case let folder as WalkApp.Folder: folder.goTo(.cover)
            case let checkout as WalkApp.Checkout: checkout.begin()
            default: break
            }
        }
    }

    private func goToRoute(of target: any WalkApp.Node) {
        let number = world.target % 4
        switch target {
        case let house as WalkApp.House: house.goTo([.splash, .help, .main(nil), .main(.about)][number])
        case let main as WalkApp.Main: main.goTo([.shelf(nil), .desk(nil), .me(nil), .about][number])
        case let shelf as WalkApp.Shelf: shelf.goTo([.list, .item(2), .checkout, .folder(.page(1))][number])
        case let desk as WalkApp.Desk: desk.goTo([.list, .compare, .result(1), .draft(1)][number])
        case let folder as WalkApp.Folder: folder.goTo(number == 0 ? .cover : .page(number))
        case let me as WalkApp.Me: me.goTo([.overview, .edit(1), .sheet(nil), .sheet(.page(2))][number])
        default: break
        }
    }

    private func pushRoute(of target: any WalkApp.Node) {
        let number = world.target % 6
        switch target {
        case let house as WalkApp.House: house.raise(WalkApp.Note("/help", world), for: .help)
        case let main as WalkApp.Main: main.raise(WalkApp.Note("/main/about", world), for: .about)
        case let shelf as WalkApp.Shelf:
            shelf.push([.item(3), .item(6), .folder(.page(1)), .edit(1), .checkout, .pick][number])
        case let desk as WalkApp.Desk:
            desk.push([.compare, .draft(1), .result(1), .draft(2), .list, .result(2)][number])
        case let folder as WalkApp.Folder: folder.push(.page(number))
        default: break
        }
    }

    private func pushFlow(on target: any WalkApp.Node) {
        guard let stack = target as? Stack else { return }
        let pick = WalkApp.Pick("Loose", world)
        stack.show(pick, world.handler(of: pick))
    }

    private func presentFlow<Shown: WalkApp.Flow>(_ flow: Shown, on target: any WalkApp.Node) {
        target.present(flow, world.handler(of: flow))
    }

    private func finish(_ target: any WalkApp.Node) {
        switch target {
        case let pick as WalkApp.Pick: world.finish(pick)
        case let checkout as WalkApp.Checkout: world.finish(checkout)
        default: break
        }
    }
}
