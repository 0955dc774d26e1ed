import Coordinate

/// A hash of everything shown and pending, and of the app's facts: 128 bits, the same in every process.
struct Fingerprint {
    // Two independent sums, by the steps of FNV-1a, a word at a time.
    private var one: UInt64 = 0xCBF2_9CE4_8422_2325
    private var other: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameter now: The time of the state: pending timers are hashed with the time that is left.
    init(of state: NavigationState, facts: [String: String], at now: Timestamp) {
        combine(state.path, state.leaf, state.parked)
        combine(state.breadcrumbs) { $0.combine($1.title, $1.path) }
        // The ids are left out, since they contain the number of the requesting event, and so the length of the path.
        combine(state.pending) {
            $0.combine($1.name, $1.at)
            $0.combine($1.due.map { UInt64(bitPattern: Int64($0.seconds - now.seconds)) } ?? .max)
        }
        combine(state.screen)
        combine(state.back)
        combine(state.tabs) {
            $0.combine($1.title, $1.badge)
            $0.combine($1.image)
            $0.combine($1.isSelected)
            $0.combine($1.action)
        }
        combine(state.dismiss)
        combine(state.tree)
        combine(facts.sorted { $0.key < $1.key }) { $0.combine($1.key, $1.value) }
    }

    /// The hash as 32 hexadecimal digits.
    var text: String {
        [one, other].map { sum in
            let digits = String(sum, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private mutating func combine(_ screen: Screen) {
        combine(screen.name, screen.title, screen.style.rawValue, screen.status.rawValue, screen.message)
        combine(screen.sections) { $0.combine($1.id, $1.title, $1.footer) }
        combine(screen.rows) {
            $0.combine($1.id, $1.section, $1.title, $1.subtitle, $1.value)
            $0.combine($1.image)
            $0.combine($1.isFavorite)
            $0.combine($1.action)
            $0.combine($1.delete)
            $0.combine($1.actions) { $0.combine($1) }
        }
        combine(screen.emptyText)
        combine(screen.actions) { $0.combine($1) }
        combine(screen.content)
    }

    private mutating func combine(_ image: Image?) {
        guard let image else { return combine(false) }
        combine(image.file, image.symbol, image.letters, image.alt)
        combine(image.color.map(UInt64.init) ?? .max)
    }

    private mutating func combine(_ action: Action?) {
        guard let action else { return combine(false) }
        combine(action)
    }

    private mutating func combine(_ action: Action) {
        combine(action.title, action.event, action.role?.rawValue, action.opens)
        combine(action.payload)
        combine(action.inputs) {
            $0.combine($1.field, $1.title, $1.kind?.rawValue, $1.error)
            $0.combine($1.value)
            $0.combine($1.choices ?? []) {
                $0.combine($1.value)
                $0.combine($1.title)
            }
        }
    }

    private mutating func combine(_ node: NavigationState.Node) {
        combine(node.id, node.coordinator, node.kind.rawValue, node.title, node.badge, node.section)
        combine(node.route?.description)
        combine(node.isStarted)
        combine(UInt64(node.index.map { $0 + 1 } ?? 0))
        combine(node.presented) { $0.combine($1) }
        combine(node.children) { $0.combine($1) }
    }

    private mutating func combine(_ value: PlainValue) {
        switch value {
        case .null: combine(1 as UInt64)
        case .bool(let value): combine((value ? 3 : 2) as UInt64)
        case .int(let value): combine(UInt64(bitPattern: Int64(value)))
        case .double(let value): combine(value.bitPattern)
        case .string(let value): combine(text: value)
        case .array(let values): combine(values) { $0.combine($1) }
        case .object(let fields):
            combine(fields) {
                $0.combine($1.name)
                $0.combine($1.value)
            }
        }
    }

    // MARK: Sums

    private mutating func combine<Element>(_ elements: [Element], _ body: (inout Fingerprint, Element) -> Void) {
        combine(UInt64(elements.count))
        for element in elements { body(&self, element) }
    }

    private mutating func combine(_ texts: String?...) {
        for text in texts {
            guard let text else {
                combine(0xFF as UInt64)
                continue
            }
            combine(text: text)
        }
    }

    private mutating func combine(text: String) {
        var word: UInt64 = 0
        var length: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            length += 1
            if length & 7 == 0 {
                combine(word)
                word = 0
            }
        }
        combine(word)
        combine(length)
    }

    private mutating func combine(_ flag: Bool) {
        combine((flag ? 1 : 0) as UInt64)
    }

    private mutating func combine(_ word: UInt64) {
        one = (one ^ word) &* 0x100_0000_01B3
        one ^= one >> 29
        other = (other ^ word) &* 0xD6E8_FEB8_6659_FD93
        other ^= other >> 32
    }
}
