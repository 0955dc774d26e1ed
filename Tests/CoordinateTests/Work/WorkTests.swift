import Coordinate
import Synchronization
import Testing

/// "Work: how an app acts on the world": asked for in a turn, told as an event at the coordinator that asked.
struct WorkTests {
    private final class Heard { var events: [Market] = [] }

    private let stack: Stack
    private let leaf: Leaf
    private let heard = Heard()

    init() {
        let (stack, leaves) = Stack.started("Bottom", "Top")
        (self.stack, leaf) = (stack, leaves[1])
    }

    /// Handles all events at the leaf, and notes those of the market.
    private func listen() {
        leaf.probe.onEvent = { [heard] event in
            if let event = event as? Market { heard.events.append(event) }
            return true
        }
    }

    @Test func workThatWasAskedForIsListedAndNotBegun() {
        leaf.loadPrices {
            Issue.record("it ran")
            return 1
        }
        #expect(stack.work.map(\.name) == ["prices"])
        #expect(stack.work.map(\.id) == ["3-1"])
        #expect(stack.work.map(\.at) == [leaf.id])
        #expect(stack.navigationState.pending == Array(stack.work))
    }

    @Test func whatItBroughtIsAnEventAtTheCoordinatorThatAsked() throws {
        leaf.loadPrices { 1 }
        listen()
        let dispatch = try stack.work.finish("prices", with: 12)
        #expect(dispatch.handledBy == leaf.id)
        #expect(heard.events == [.pricesDidLoad(12)])
        #expect(stack.work.isEmpty)
    }

    @Test(arguments: [(1, [1, 2]), (3, [1, 2, 3])])
    func aTestRunsTheAttemptsOfWorkWithoutThePauses(_ failures: Int, _ attempts: [Int]) async throws {
        let made = Mutex<[Int]>([])
        leaf.perform(
            "prices", retry: .backoff(attempts: 3),
            { context in
                made.withLock { $0.append(context.attempt) }
                guard context.attempt > failures else { throw WorkFailure("Busy.") }
                return 7
            }, done: Market.pricesDidLoad, failed: Market.pricesDidFail)
        listen()
        try await stack.work.run("prices")
        #expect(made.withLock(\.self) == attempts)
        #expect(heard.events == [failures < 3 ? .pricesDidLoad(7) : .pricesDidFail(WorkFailure("Busy."))])
    }

    @Test func valuesOfAnotherTypeAndOtherNamesAreRefused() {
        leaf.loadPrices { 1 }
        #expect(throws: TreeWorkError.self) { try stack.work.finish("prices", with: "twelve") }
        #expect(throws: TreeWorkError.self) { try stack.work.finish("stock", with: 12) }
        #expect(stack.work.count == 1)
    }

    @Test func itIsKeptWhenItsCoordinatorMovesOrIsRetained() throws {
        final class Kept: Leaf { override var isRetained: Bool { true } }
        let box = Box.started()
        let kept = Kept("Kept")
        box.root(kept)
        kept.loadPrices { 1 }
        box.root(Leaf("Other"))
        #expect(box.work.map(\.name) == ["prices"])
        var wasTold = false
        kept.probe.onEvent = { event in
            wasTold = wasTold || event is Market
            return true
        }
        try box.work.finish("prices", with: 1)
        #expect(wasTold)
    }

    @Test func anotherCoordinatorsWorkOfTheSameNameIsNotCancelled() {
        let (stack, leaves) = Stack.started("Bottom", "Top")
        leaves[1].loadPrices { 1 }
        leaves[0].cancel("prices")
        #expect(stack.work.count == 1)
    }

    @Test func workAskedForBeforeTheCoordinatorIsInATreeFailsTheTurn() {
        let stranger = Leaf("Stranger")
        stranger.loadPrices { 1 }
        #expect(
            failure(of: stack) { stack.show(stranger, sender: nil) }
                == .workOutsideTree(coordinator: "Stranger", work: "prices"))
    }

    @Test func aHundredPiecesMayBePendingAndNoMore() {
        for _ in 1...100 { leaf.loadPrices { 1 } }
        #expect(stack.work.count == 100)
        #expect(failure(of: stack) { leaf.loadPrices { 1 } } == .tooMuchWork)
    }

    // MARK: Owners

    @Test(arguments: [true, false]) func anOwnerIsToldAfterWhoAskedHasEnded(isRoot: Bool) throws {
        let owner: WorkOwner = isRoot ? .root : .ancestor(Stack.self)
        let (stack, leaves) = Stack.started("Bottom", "Top")
        leaves[1].perform("pay", owner: owner, { _ in 1 }, done: Market.pricesDidLoad, failed: Market.pricesDidFail)
        leaves[1].perform("offer", owner: owner, after: .seconds(5), Market.offerDidExpire)
        #expect(stack.work.map(\.at) == ["Stack", "Stack"])
        stack.popToCoordinator(leaves[0], animated: false)
        var told: [Market] = []
        stack.probe.onEvent = { event in
            if let event = event as? Market { told.append(event) }
            return true
        }
        try stack.work.finish("pay", with: 7)
        stack.work.advance(by: .seconds(5))
        #expect(told == [.pricesDidLoad(7), .offerDidExpire])
    }

    @Test func whatAnAncestorOwnsIsDroppedWhenTheAncestorEnds() {
        let box = Box.started()
        let stack = Stack("Stack")
        box.root(stack)
        let leaf = Leaf("Leaf")
        stack.show(leaf, sender: nil)
        leaf.perform("offer", owner: .ancestor(Stack.self), after: .seconds(5), Market.offerDidExpire)
        leaf.perform("sale", owner: .root, after: .seconds(5), Market.offerDidExpire)
        leaf.cancel("sale")
        #expect(box.work.map(\.at) == ["Box/Stack", "Box"])
        box.root(Leaf("Other"))
        #expect(box.work.map(\.name) == ["sale"])
        box.cancel("sale")
        #expect(box.work.isEmpty)
    }

    @Test func anOwnerThatIsNoAncestorFailsTheTurn() {
        let expected = Diagnostic.noSuchOwner(coordinator: "Stack/Top", work: "offer", owner: "Leaf")
        #expect(
            failure(of: stack) {
                leaf.perform("offer", owner: .ancestor(Leaf.self), after: .seconds(5), Market.offerDidExpire)
            } == expected)
        #expect(expected.description.contains("Leaf"))
    }

    @Test func anOutcomeThatNobodyHandlesIsNoticed() throws {
        leaf.loadPrices { 1 }
        leaf.perform("offer", after: .seconds(5), Market.offerDidExpire)
        try stack.work.finish("prices", with: 1)
        #expect(
            stack.diagnostics
                == [.unhandledOutcome("market.pricesDidLoad", work: "prices", coordinator: "Stack/Top")])
        stack.work.advance(by: .seconds(5))
        #expect(
            stack.diagnostics == [.unhandledOutcome("market.offerDidExpire", work: "offer", coordinator: "Stack/Top")])
    }

    // MARK: Timers

    @Test(arguments: [Duration.seconds(Int.max), .seconds(300_000_000_000), .milliseconds(Int.max)])
    func aDelayBeyondTheCalendarEndsWithIt(delay: Duration) {
        leaf.perform("offer", after: delay, Market.offerDidExpire)
        #expect(stack.work.first?.due == Timestamp(seconds: 253_402_300_799))
    }

    @Test func timersFireInTheOrderInWhichTheyAreDueAndMaySetOthers() {
        var times: [Int] = []
        leaf.probe.onEvent = { [unowned leaf] event in
            times.append(leaf.now.seconds)
            if times.count < 4 { leaf.perform("next", after: .seconds(10), Market.offerDidExpire) }
            return true
        }
        leaf.perform("late", after: .seconds(25), Market.offerDidExpire)
        leaf.perform("first", after: .seconds(10), Market.offerDidExpire)
        stack.work.advance(by: .seconds(60))
        #expect(times == [10, 20, 25, 30, 35])
        #expect(stack.now == Timestamp(seconds: 60))
    }

    // MARK: The turn's random numbers

    @Test func randomNumbersAreThoseOfTheVersionAndTheSeed() throws {
        func numbers(seed: UInt64, version: Int) throws -> [Int] {
            let leaf = Leaf("Root")
            try leaf.turn(at: TurnMoment(version: 0, now: Timestamp(seconds: 0), seed: seed)) { leaf.start() }
            return try leaf.turn(at: TurnMoment(version: version, now: Timestamp(seconds: 9), seed: seed)) {
                (1...8).map { _ in Int.random(in: 0..<1_000_000, using: &leaf.random) }
            }.result
        }
        #expect(try numbers(seed: 1, version: 4) == numbers(seed: 1, version: 4))
        #expect(try numbers(seed: 1, version: 4) != numbers(seed: 1, version: 5))
        #expect(try numbers(seed: 1, version: 4) != numbers(seed: 2, version: 4))
        #expect(try Set(numbers(seed: 1, version: 4)).count == 8)
    }

    @Test(arguments: [
        (Duration.seconds(60), 160, 40), (.milliseconds(1_500), 102, 98), (.zero, 100, 100), (.seconds(-60), 40, 160),
        (.milliseconds(-1_500), 98, 102),
    ])
    func aMomentMovesByWholeSeconds(duration: Duration, later: Int, earlier: Int) {
        let moment = Timestamp(seconds: 100)
        #expect(moment + duration == Timestamp(seconds: later))
        #expect(moment - duration == Timestamp(seconds: earlier))
    }
}

// MARK: Fixtures

enum Market: CoordinateEvents, Equatable {
    case pricesDidLoad(Int)
    case pricesDidFail(WorkFailure)
    case offerDidExpire
    case login(Secret)
}

extension Market: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "market",
        .event("pricesDidLoad", Self.pricesDidLoad, "prices") {
            if case .pricesDidLoad(let prices) = $0 { prices } else { nil }
        }.appOnly,
        .event("pricesDidFail", Self.pricesDidFail, "reason") {
            if case .pricesDidFail(let failure) = $0 { failure } else { nil }
        }.appOnly,
        .event("offerDidExpire", .offerDidExpire).appOnly,
        .event("login", Self.login, "password") { if case .login(let password) = $0 { password } else { nil } }
    )
}

extension CoordinatorNode {
    fileprivate func loadPrices(_ work: @escaping @Sendable () -> Int) {
        perform("prices", { _ in work() }, done: Market.pricesDidLoad, failed: Market.pricesDidFail)
    }
}
