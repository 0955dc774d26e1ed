import CoordinateTesting
import Synchronization

/// What a user of the basket sees and can do, without titles, and with the names of the first release.
struct Place: Equatable {
    let path: String
    let screen: String
    let style: String
    let status: String
    let rows: [String]
    let offers: [String]
    let pending: [String]

    init(_ route: Document.Route) {
        path = route.path
        screen = route.screen.name
        style = route.screen.style
        status = route.screen.status
        rows = route.screen.rows.map { "\($0.id) \($0.subtitle ?? "") \($0.value ?? "")" }
        offers = route.offeredActions.map { action in
            let event = action.event == "basket.put" ? "basket.add" : action.event
            return "\(event) \(String(decoding: action.payload.encoded, as: UTF8.self)) \(action.inputs.map(\.field))"
        }
        pending = route.pending.map(\.name)
    }
}

/// The places that the clients of a run saw last.
final class SeenPlaces: Sendable {
    private let places = Mutex<[String: (version: Int, place: Place)]>([:])

    /// The last place of a session, with the session's version.
    subscript(session: String) -> (version: Int, place: Place)? { places.withLock { $0[session] } }

    func record(_ route: Document.Route) {
        places.withLock { $0[route.session] = (route.version, Place(route)) }
    }
}
