/// A list of effects, in order. One effect needs no allocation, and most inputs have no more.
struct Effects<Request: SessionRequest>: Sequence, Sendable {
    typealias Element = SessionMachine<Request>.Effect

    private(set) var first: Element?
    private(set) var others: [Element] = []

    init() {}

    init(_ first: Element) {
        self.first = first
    }

    init(_ first: Element, _ then: Effects) {
        self.init(Effects(first), then)
    }

    init(_ parts: Effects...) {
        for part in parts { append(part) }
    }

    mutating func append(_ other: Effects) {
        guard let next = other.first else { return }
        if first == nil {
            self = other
        } else {
            others.append(next)
            others += other.others
        }
    }

    mutating func popFirst() -> Element? {
        guard let next = first else { return nil }
        first = others.isEmpty ? nil : others.removeFirst()
        return next
    }

    func makeIterator() -> AnyIterator<Element> {
        var position = -1
        return AnyIterator {
            position += 1
            return position == 0 ? first : position <= others.count ? others[position - 1] : nil
        }
    }
}
