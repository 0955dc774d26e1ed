import Coordinate

/// A hash of everything shown and pending: 128 bits, the same in every process.
struct Fingerprint {
    // Two independent sums, by the steps of FNV-1a, a word at a time.
    private var one: UInt64 = 0xCBF2_9CE4_8422_2325
    private var other: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameter now: The time of the state: pending timers are hashed with the time that is left.
    init(of state: NavigationState, at now: Timestamp) {
        add(state.path)
        add(state.leaf)
        add(state.parked)
        add(state.breadcrumbs) {
            $0.add($1.title)
            $0.add($1.path)
        }
        // The ids are left out, since they contain the number of the requesting event, and so the length of the path.
        add(state.pending) {
            $0.add($1.name)
            $0.add($1.at)
            $0.add($1.due.map { UInt64(bitPattern: Int64($0.seconds - now.seconds)) } ?? .max)
        }
        add(state.screen)
        add(state.back)
        add(state.tabs) {
            $0.add($1.title)
            $0.add($1.badge)
            $0.add($1.isSelected)
            $0.add($1.action)
        }
        add(state.dismiss)
        add(state.tree)
    }

    /// The hash as 32 hexadecimal digits.
    var text: String {
        [one, other].map { sum in
            let digits = String(sum, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private mutating func add(_ screen: Screen) {
        add(screen.name)
        add(screen.title)
        add(screen.style.rawValue)
        add(screen.status.rawValue)
        add(screen.message)
        add(screen.rows) {
            $0.add($1.id)
            $0.add($1.title)
            $0.add($1.subtitle)
            $0.add($1.value)
            $0.add($1.isFavorite)
            $0.add($1.action)
            $0.add($1.delete)
            $0.add($1.actions) { $0.add($1) }
        }
        add(screen.actions) { $0.add($1) }
    }

    private mutating func add(_ action: Action?) {
        guard let action else { return add(false) }
        add(action)
    }

    private mutating func add(_ action: Action) {
        add(action.title)
        add(action.event)
        add(action.payload)
        add(action.inputs) {
            $0.add($1.field)
            $0.add($1.title)
            $0.add($1.error)
            $0.add($1.value)
            $0.add($1.choices ?? []) {
                $0.add($1.value)
                $0.add($1.title)
            }
        }
    }

    private mutating func add(_ node: NavigationState.Node) {
        add(node.id)
        add(node.coordinator)
        add(node.kind.rawValue)
        add(node.isStarted)
        add(node.title)
        add(node.badge)
        add(node.route?.description)
        add(node.section)
        add(UInt64(node.index.map { $0 + 1 } ?? 0))
        add(node.presented) { $0.add($1) }
        add(node.children) { $0.add($1) }
    }

    private mutating func add(_ value: PlainValue) {
        switch value {
        case .null: add(1 as UInt64)
        case .bool(let value): add((value ? 3 : 2) as UInt64)
        case .int(let value): add(UInt64(bitPattern: Int64(value)))
        case .double(let value): add(value.bitPattern)
        case .string(let value): add(value)
        case .array(let values): add(values) { $0.add($1) }
        case .object(let fields):
            add(fields) {
                $0.add($1.name)
                $0.add($1.value)
            }
        }
    }

    // MARK: Sums

    private mutating func add<Element>(_ elements: [Element], _ body: (inout Fingerprint, Element) -> Void) {
        add(UInt64(elements.count))
        for element in elements { body(&self, element) }
    }

    private mutating func add(_ text: String?) {
        guard let text else { return add(0xFF as UInt64) }
        add(text)
    }

    private mutating func add(_ text: String) {
        var word: UInt64 = 0
        var length: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            length += 1
            if length & 7 == 0 {
                add(word)
                word = 0
            }
        }
        add(word)
        add(length)
    }

    private mutating func add(_ flag: Bool) {
        add((flag ? 1 : 0) as UInt64)
    }

    private mutating func add(_ word: UInt64) {
        one = (one ^ word) &* 0x100_0000_01B3
        one ^= one >> 29
        other = (other ^ word) &* 0xD6E8_FEB8_6659_FD93
        other ^= other >> 32
    }
}
