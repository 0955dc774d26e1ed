internal import Coordinate
internal import JSON

/// The actions of a place, by what makes them the same: the event, its payload without what is entered, and the class of
/// the coordinator.
struct OfferIndex {
    private struct Key: Hashable {
        let event: String
        let coordinator: String
        let payload: PlainValue
        /// The row, which is `nil` for other actions; `nil` for any.
        var row: String??
        /// The text of the button; `nil` for any.
        var title: String?
    }

    /// Where an event is offered.
    private struct Spot: Hashable {
        let event: String
        let row: String?
        /// The text of the button; `nil` for any.
        var title: String?
    }

    private let offers: [Place.Offer]
    private let events: EventCatalog
    private var byKey: [Key: Int] = [:]
    private var bySpot: [Spot: Int] = [:]
    /// The payloads of the recorded actions that an action is the same as.
    private var matched: [Int: PlainValue] = [:]

    init(of offers: [Place.Offer], _ events: EventCatalog) {
        self.offers = offers
        self.events = events
        for (index, offer) in offers.enumerated() {
            for key in keys(of: offer, offer.event, offer.payload) where byKey[key] == nil { byKey[key] = index }
            for title in [offer.title, nil] {
                let spot = Spot(event: offer.event, row: offer.row, title: title)
                if bySpot[spot] == nil { bySpot[spot] = index }
            }
        }
    }

    /// Finds the same action, if possible in the same row and with the same title. Its form may have other inputs.
    mutating func match(_ recorded: Place.Offer) -> Place.Offer? {
        let emissions = recorded.migrated.map { ($0.name, $0.payload) } + [(recorded.event, recorded.payload)]
        let found = emissions.lazy.compactMap { [self] event, payload in
            keys(of: recorded, event, payload).lazy.compactMap { byKey[$0] }.first
                ?? form(like: recorded, event, payload)
        }.first
        guard let index = found else { return nil }
        // Two actions that became one can no longer be chosen between.
        let payload = Self.fixed(recorded.payload, without: recorded.inputs)
        guard matched[index].map({ $0 == payload }) ?? true else { return nil }
        matched[index] = payload
        return offers[index]
    }

    /// The same button, whose event has another payload, or another coordinator.
    func alternative(to recorded: Place.Offer) -> Place.Offer? {
        (recorded.migrated.map(\.name) + [recorded.event]).lazy.compactMap { [self] event in
            bySpot[Spot(event: event, row: recorded.row, title: recorded.title)].map { offers[$0] }
        }.first
    }

    /// The number of actions that are new, without those of new rows.
    func unmatched(in rows: Set<String>) -> Int {
        func key(_ offer: Place.Offer) -> Key {
            self.key(of: offer, offer.event, offer.payload, without: offer.inputs)
        }
        let known = Set(matched.keys.map { key(offers[$0]) })
        return offers.count { (($0.row.map(rows.contains)) ?? true) && !known.contains(key($0)) }
    }

    private func form(like recorded: Place.Offer, _ event: String, _ payload: PlainValue) -> Int? {
        guard let index = bySpot[Spot(event: event, row: recorded.row)] else { return nil }
        let offer = offers[index]
        let inputs = recorded.inputs + offer.inputs
        let isSame =
            !inputs.isEmpty
            && key(of: recorded, event, payload, without: inputs)
                == key(of: offer, offer.event, offer.payload, without: inputs)
        return isSame ? index : nil
    }

    /// The keys of an action, the most exact first.
    private func keys(of offer: Place.Offer, _ event: String, _ payload: PlainValue) -> [Key] {
        var key = key(of: offer, event, payload, without: offer.inputs)
        return [(offer.row, offer.title), (offer.row, nil), (nil, offer.title), (nil, nil)].map {
            (row: String??, title: String?) in
            (key.row, key.title) = (row, title)
            return key
        }
    }

    private func key(
        of offer: Place.Offer, _ event: String, _ payload: PlainValue, without inputs: [Place.Input]
    ) -> Key {
        // Fields that today's event does not declare are left out in a replay, too.
        let declared = events.entry(named: event)?.recordedFields(of: payload) ?? payload
        return Key(event: event, coordinator: offer.coordinator, payload: Self.fixed(declared, without: inputs))
    }

    /// A payload without what is entered.
    private static func fixed(_ payload: PlainValue, without inputs: [Place.Input]) -> PlainValue {
        guard case .object(let fields) = payload else { return payload }
        return PlainValue.object(fields.filter { field in !inputs.contains { $0.field == field.name } }).canonical
    }
}

extension PlainValue {
    /// The value in one of the ways in which it can be written: a missing field is null, and 1 is 1.0.
    fileprivate var canonical: PlainValue {
        switch self {
        case .double(let number): number.whole.map { .int($0) } ?? self
        case .array(let elements): .array(elements.map(\.canonical))
        case .object(let fields):
            .object(
                fields.filter { $0.value != .null }.map { PlainField($0.name, $0.value.canonical) }
                    .sorted { $0.name < $1.name })
        case .null, .bool, .int, .string: self
        }
    }
}
