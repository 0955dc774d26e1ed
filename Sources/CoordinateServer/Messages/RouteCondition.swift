internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// A client's condition for a route. The request waits until the session's route meets it.
struct RouteCondition: Sendable {
    /// The versions that the client knows; `nil` if it names none.
    let known: VersionCondition.Versions?
    /// Whether only timers may be pending in the route. Otherwise the route must have a version that the client does
    /// not know.
    let waitsUntilSettled: Bool

    func isMet(by version: Int, _ route: PublishedRoute) -> Bool {
        waitsUntilSettled ? route.isSettled : known?.contains(version) != true
    }
}

/// A client's wait for a route that meets its condition.
final class RouteWait: SessionFollower {
    /// The session that the client waits for.
    struct Place {
        let session: SessionID
        /// The headers that introduce a new session to its client.
        let introduction: HTTPFields
    }

    private struct State {
        var place: Place?
        /// The route of the last version.
        var latest: PublishedRoute?
        /// Whether the condition is met; `nil` while it waits.
        var isMet: Bool?
        var waiter: CheckedContinuation<Bool, Never>?
    }

    let condition: RouteCondition
    private let state = Mutex(State())

    init(until condition: RouteCondition) {
        self.condition = condition
    }

    /// Where it waits; `nil` before the session is found.
    var place: Place? {
        get { state.withLock(\.place) }
        set { state.withLock { $0.place = newValue } }
    }

    /// The last version, as it is read by the client; `nil` if none is known yet.
    var latest: RouteReading? {
        state.withLock(\.latest).map { RouteReading($0, unless: condition.known) }
    }

    /// Waits until a version meets the condition.
    ///
    /// - Returns: `false` if the session has ended or was released, or the task is cancelled.
    func isMet() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isMet = state.withLock { state in
                    if state.isMet == nil { state.waiter = waiter }
                    return state.isMet
                }
                if let isMet { waiter.resume(returning: isMet) }
            }
        } onCancel: {
            end(isMet: false)
        }
    }

    private func end(isMet: Bool) {
        let waiter = state.withLock { state in
            state.isMet = state.isMet ?? isMet
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: isMet)
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        let route = route.published
        state.withLock { $0.latest = route }
        guard condition.isMet(by: version, route) else { return true }
        end(isMet: true)
        return false
    }

    func didEnd() { end(isMet: false) }
    func wasReleased() { end(isMet: false) }
}

extension RouteReading {
    /// A route, unless the client knows its version.
    init(_ route: PublishedRoute, unless known: VersionCondition.Versions?) {
        self = known?.contains(route.version) == true ? .unchanged(route.version, route) : .route(route.version, route)
    }
}
