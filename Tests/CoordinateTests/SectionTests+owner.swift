import Coordinate
import Testing

/// What a section and its owner mean to each other: modals, and the end of either.
extension SectionTests {
    // MARK: Modals

    @Test func presentGoesToTheTopMostAndBelongsToTheOwner() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let modal = Leaf("M")
        section.present(modal)
        #expect(stack.visibleLeaf === modal)
        #expect(modal.id == "Stack/Owner/M")
        #expect(modal.emitEvent(Ping.ping).trace.map(\.coordinator) == ["Stack/Owner/M", "Stack/Owner", "Stack"])
    }

    @Test func dismissTopTakesOnlyMineAndWhatIsAbove() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let otherSection = SectionedNavigationController(for: other)
        let modals = [Leaf("M"), Leaf("X"), Leaf("N"), Leaf("Y")]
        for (index, modal) in modals.enumerated() { (index.isMultiple(of: 2) ? section : otherSection).present(modal) }
        #expect(modals.map(\.id) == ["Stack/Owner/M", "Stack/Other/X", "Stack/Owner/N", "Stack/Other/Y"])
        var completions = 0
        section.dismissTop { completions += 1 }
        #expect(modals.map(\.isStarted) == [true, true, false, false])
        section.dismissTop { completions += 1 }
        #expect(modals.map(\.isStarted) == [false, false, false, false])
        section.dismissTop { completions += 1 }
        #expect(completions == 3)
        #expect(stack.visibleLeaf === other)
    }

    @Test func dismissAllLeavesWhatIsBelowMine() {
        let other = Leaf("Other")
        stack.show(other, sender: nil)
        let modals = [Leaf("X"), Leaf("M"), Leaf("Y"), Leaf("N")]
        for (index, modal) in modals.enumerated() {
            (index.isMultiple(of: 2) ? SectionedNavigationController(for: other) : section).present(modal)
        }
        var completions = 0
        section.dismissAll { completions += 1 }
        section.dismissAll { completions += 1 }
        #expect(completions == 2)
        #expect(modals.map(\.isStarted) == [true, false, false, false])
        #expect(stack.visibleLeaf === modals[0])
    }

    // MARK: The owner's end

    @Test func stopTakesTheSectionAndItsModalsAlongAndCompletesOnce() {
        section.push(Leaf("G", log: log))
        stack.show(Leaf("Other", log: log), sender: nil)
        section.push(Leaf("H", log: log))
        section.present(Leaf("M", log: log))
        _ = log.flush()
        var completions = 0
        owner.stop { completions += 1 }
        #expect(completions == 1)
        #expect(log.flush(only: "stop") == ["Owner stop", "M stop", "H stop", "G stop"])
        #expect(titles == ["List", "Other"])
        #expect(stack.visibleLeaf.identifier == "Other")
    }

    @Test func theStacksEndStopsEachOfASectionOnce() {
        section.push(Leaf("G", log: log))
        section.push(Leaf("H", log: log))
        _ = log.flush()
        stack.stop()
        #expect(log.flush(only: "stop").sorted() == ["G stop", "H stop", "List stop", "Owner stop", "Stack stop"])
    }

    @Test func aNewRootOfTheStackEndsTheSection() {
        section.push(Leaf("G", log: log))
        stack.root(Leaf("New", log: log))
        #expect(titles == ["New"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop", "List stop"])
    }

    @Test func nothingOfASectionLivesOn() {
        weak var guest: Leaf?
        do {
            let leaf = Leaf("G")
            guest = leaf
            section.push(leaf)
        }
        #expect(guest != nil)
        owner.stop()
        #expect(guest == nil)
        #expect(section.isEmpty)
        section.push(Leaf("Late"))
        #expect(titles == ["List"])
    }

    @Test func aSectionEndsWhereItsOwnerMovesToAnotherStack() {
        let log = Log()
        let (tabs, _) = Tabs.started(log: log)
        let stacks = [Stack("First", log: log), Stack("Second", log: log)]
        let owner = Leaf("Owner", log: log)
        tabs.setCoordinators(stacks)
        stacks[0].show(Leaf("List", log: log), sender: nil)
        stacks[0].show(owner, sender: nil)
        SectionedNavigationController(for: owner).push(Leaf("G", log: log))
        tabs.select(stacks[1])
        _ = log.flush()
        stacks[1].show(owner, sender: nil)
        #expect(log.flush(only: "stop") == ["G stop"])
        #expect(stacks[0].rootViewController.viewControllers.map(\.title) == ["List"])
        #expect(owner.childCoordinators.isEmpty)
        #expect(owner.isStarted)
    }

    @Test func aSectionEndsWhereItsOwnerBecomesAModal() {
        section.push(Leaf("G", log: log))
        _ = log.flush()
        stack.present(owner, animated: false)
        #expect(titles == ["List", "G"])
        #expect(stack.visibleLeaf === owner)
        owner.dismiss()
        #expect(titles == ["List"])
        #expect(log.flush(only: "stop") == ["G stop", "Owner stop"])
    }

    @Test func aGuestThatMovesElsewhereLeavesTheSection() {
        let guest = Leaf("G", log: log)
        section.push(guest)
        _ = log.flush()
        stack.show(guest, sender: nil)
        #expect(guest.id == "Stack/G")
        #expect(titles == ["List", "Owner", "G"])
        section.popSection()
        #expect(titles == ["List", "G"])
        #expect(guest.isStarted)
        #expect(log.flush(only: "start", "stop") == ["Owner stop"])
    }

    @Test func aGuestShownInItsOwnersOwnScreenLeavesTheSharedStack() {
        let box = Box("Box", log: log)
        let guest = Leaf("G", log: log)
        stack.show(box, sender: nil)
        let section = SectionedNavigationController(for: box)
        section.push(guest)
        box.root(guest)
        #expect(titles == ["List", "Owner", "Box"])
        #expect(box.currentViewController === guest.rootViewController)
        section.push(guest)
        #expect(titles == ["List", "Owner", "Box", "G"])
        #expect(box.currentViewController == nil)
        #expect(log.flush(only: "start", "stop") == ["Box start", "G start"])
    }

    @Test func aPushOfAnOwnerThatEndedIsDropped() {
        let guest = Leaf("G", log: log)
        let next = Leaf("Next", log: log)
        next.probe.onStart = { [section] in section.push(guest) }
        stack.root(next)
        #expect(titles == ["Next"])
        #expect(!owner.isStarted)
        #expect(!guest.isStarted)
    }

    @Test func anOwnerPushedAgainPopsItsGuests() {
        section.push(Leaf("G"))
        stack.show(owner, sender: nil)
        #expect(titles == ["List", "Owner"])
        section.push(Leaf("H"))
        stack.popToCoordinator(owner, animated: true)
        #expect(titles == ["List", "Owner"])
    }

    @Test func theOwnerPushedInItsOwnSectionFails() {
        #expect(failure(of: stack) { section.push(owner) } == .containsItself(coordinator: "Stack/Owner"))
    }

    @Test func aRetainedGuestIsKeptByItsOwner() {
        let guest = RetainedLeaf("G", log: log)
        section.push(guest)
        back()
        #expect(guest.isStarted)
        #expect(owner.childCoordinators["G"] === guest)
        section.push(guest)
        #expect(titles == ["List", "Owner", "G"])
        #expect(log.flush(only: "start") == ["G start"])
        owner.stop()
        #expect(!guest.isStarted)
    }

    @Test func aPushFromTheStartOfAGuestWaits() {
        let guest = Leaf("G", log: log)
        let next = Leaf("H", log: log)
        guest.probe.onStart = { [section] in section.push(next) }
        section.push(guest)
        #expect(titles == ["List", "Owner", "G", "H"])
        #expect(log.flush(only: "activate") == ["H activate"])
    }
}
