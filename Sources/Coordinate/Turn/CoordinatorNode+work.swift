extension CoordinatorNode {
    /// Requests work: code that needs time, or that has effects outside the tree. It begins once the turn is committed.
    ///
    /// ```swift
    /// perform("prices", { [api = dependencies.api] _ in try await api.prices(ids) },
    ///         done: AppEvents.Catalogue.pricesDidLoad, failed: AppEvents.Catalogue.pricesDidFail)
    /// ```
    ///
    /// Its outcome becomes an event, which is emitted at this coordinator and recorded like any other. A replayed turn
    /// requests the work again, but nothing begins: the outcome is in the journal. The outcome is reported exactly
    /// once. The work itself may run more than once: if its process ends, it begins again with the same
    /// ``WorkContext/key``.
    ///
    /// The work is cancelled when its owner ends; a later result is ignored. At most 100 pieces of work and timers may
    /// be pending in a tree.
    ///
    /// - Parameters:
    ///   - name: The app's own name for the work, for people to read. Several pieces of work may have the same name.
    ///   - owner: The coordinator at which the outcome is emitted; by default this one. Work that must outlive its
    ///     screen, such as a payment, belongs to an ancestor.
    ///   - retry: The rule by which the work is attempted again after a failure.
    ///   - timeLimit: The longest duration of an attempt. A longer one is cancelled, and fails with
    ///     ``WorkFailure/timedOut``.
    ///   - work: The work itself. It runs outside of the tree and must not use the tree.
    ///   - done: Creates the event from the value that the work returned.
    ///   - failed: Creates the event from the failure of the last attempt.
    public final func perform<Value: Sendable>(
        _ name: String, owner: WorkOwner = .asker, retry: RetryPolicy = .never, timeLimit: Duration = .seconds(30),
        _ work: @escaping @Sendable (WorkContext) async throws -> Value,
        done: @escaping @Sendable (Value) -> some DeclaredEvents,
        failed: @escaping @Sendable (WorkFailure) -> some DeclaredEvents
    ) {
        let body = WorkBody(retry: retry, timeLimit: timeLimit, work, done: done, failed: failed)
        request(name, owner, .work(body))
    }

    /// Requests work that needs a secret.
    ///
    /// It works like ``perform(_:owner:retry:timeLimit:_:done:failed:)``, except after a crash. The secret is not
    /// recorded, so the work then fails with ``WorkFailure/secretLost`` instead of beginning again.
    ///
    /// - Parameters:
    ///   - name: The app's own name for the work, for people to read.
    ///   - secret: The secret from an event's payload.
    ///   - owner: The coordinator at which the outcome is emitted.
    ///   - retry: The rule by which the work is attempted again after a failure.
    ///   - timeLimit: The longest duration of an attempt.
    ///   - work: The work itself, which receives the text of the secret.
    ///   - done: Creates the event from the value that the work returned.
    ///   - failed: Creates the event from the failure of the last attempt.
    public final func perform<Value: Sendable>(
        _ name: String, with secret: Secret, owner: WorkOwner = .asker, retry: RetryPolicy = .never,
        timeLimit: Duration = .seconds(30),
        _ work: @escaping @Sendable (WorkContext, _ secret: String) async throws -> Value,
        done: @escaping @Sendable (Value) -> some DeclaredEvents,
        failed: @escaping @Sendable (WorkFailure) -> some DeclaredEvents
    ) {
        let body = WorkBody(
            retry: retry, timeLimit: timeLimit, secret: secret,
            { context in
                guard let text = secret.text else { throw WorkFailure.secretLost }
                return try await work(context, text)
            }, done: done, failed: failed)
        request(name, owner, .work(body))
    }

    /// Sets a timer, which emits an event at this coordinator, or at another owner, after a delay.
    ///
    /// ```swift
    /// perform("offer", after: .seconds(300), AppEvents.Checkout.offerDidExpire)
    /// ```
    ///
    /// The timer is due at the turn's time plus the delay, rounded up to whole seconds. It fires once, before the next
    /// event of the session is applied and before its state is shown, even if it became due while no server ran. It is
    /// cancelled when its owner ends or calls ``cancel(_:)``. An event that is not declared fails the turn.
    public final func perform(
        _ name: String, owner: WorkOwner = .asker, after delay: Duration, _ event: some DeclaredEvents
    ) {
        request(name, owner, due: now.advanced(by: delay), .timer(event))
    }

    /// Cancels the work and the timers with a name that this coordinator owns. Later results of the work are ignored.
    public final func cancel(_ name: String) {
        guard tree.allows(.strayWork(coordinator: id, work: name)) else { return }
        tree.perform { tree.work.cancel(of: self, named: name) }
    }

    private final func request(_ name: String, _ owner: WorkOwner, due: Timestamp? = nil, _ task: AskedWork.Task) {
        guard tree.allows(.strayWork(coordinator: id, work: name)) else { return }
        tree.perform {
            guard isStarted || parentNode != nil else {
                return tree.report(.workOutsideTree(coordinator: id, work: name))
            }
            if case .timer(let event) = task, let fault = fault(of: event) { return tree.report(fault) }
            guard let owner = node(of: owner) else {
                return tree.report(.noSuchOwner(coordinator: id, work: name, owner: owner.description))
            }
            let asked = tree.work.append(name, due: due, task, of: owner, traceparent: tree.moment.traceparent)
            if asked == nil { tree.report(.tooMuchWork) }
        }
    }

    /// Returns the coordinator that `owner` refers to; `nil` if no ancestor has the class.
    private final func node(of owner: WorkOwner) -> CoordinatorNode? {
        func nearest<Ancestor: Coordinating>(_ type: Ancestor.Type) -> CoordinatorNode? {
            withAncestors.dropFirst().first { $0 is Ancestor }
        }
        return switch owner {
        case .asker: self
        case .root: rootNode
        case .ancestor(let type): nearest(type)
        }
    }

    /// Returns the reason why clients cannot send an event by its name; `nil` if they can.
    private final func fault<Event: DeclaredEvents>(of event: Event) -> Diagnostic? {
        let name = event.encoded.name
        if Event.declaration.declared(event) == nil { return .undeclaredEvent(name, type: "\(Event.self)") }
        let isCatalogued = tree.events?.contains(ObjectIdentifier(Event.self)) ?? true
        return isCatalogued ? nil : .uncataloguedEvent(name, type: "\(Event.self)")
    }
}
