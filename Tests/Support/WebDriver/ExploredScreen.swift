public import Coordinate
public import CoordinateExplore
public import CoordinateTesting

/// A screen of an app, and how to get there.
public struct ExploredScreen: Sendable, CustomStringConvertible {
    /// The state of the app, with the shortest journal that leads to it.
    public let state: AppGraph.State
    private let events: EventCatalog

    public var description: String { state.key }

    /// What screens differ in: their names, their status, their buttons and forms, and whether something is pending or
    /// parked. All teams have the same screen.
    private struct Kind: Hashable {
        let screen: String
        let status: String
        let events: [String]
        let isPending: Bool
        let isParked: Bool

        init(_ offer: StateOffer) {
            screen = offer.screen
            status = offer.status.rawValue
            events = offer.events
            isPending = !offer.pending.isEmpty
            isParked = offer.parked != nil
        }
    }

    /// The screens that an app can be led to, one of each kind.
    public static func all(of app: any CoordinatedApp) -> [ExploredScreen] {
        var kinds: Set<Kind> = []
        return app.explore().states.filter { kinds.insert(Kind($0.offer)).inserted }
            .map { ExploredScreen(state: $0, events: app.events) }
    }

    /// Returns a client whose session shows the screen. Its work never begins.
    ///
    /// - Parameter options: The options of the session.
    public func open(on server: TestServer, options: JSON = [:]) async throws -> SessionClient {
        let client = try await server.client(options: options).fork(at: 0, work: .withheld)
        for step in state.journal {
            // A journal has no secrets.
            var payload: [String: JSON] = [:]
            for field in events.entry(named: step.event)?.fields ?? [] where field.type.isSecret {
                payload[field.name] = ""
            }
            payload.merge(JSON(step.payload).object) { $1 }
            try await client.emit(step.event, .object(payload), at: step.at, pending: step.pending)
        }
        return client
    }
}

extension JSON {
    fileprivate init(_ value: PlainValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .array(let values): .array(values.map(JSON.init))
            case .object(let fields): .object(Dictionary(fields.map { ($0.name, JSON($0.value)) }) { $1 })
            }
    }
}
