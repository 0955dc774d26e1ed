internal import Coordinate
internal import CoordinateServer
internal import JSON
internal import MicroHTTPD

/// A route document for each screen of a map: what the screen looks like.
///
/// A screen's document is that of the nearest state in which the screen is ready; if it never is, of the nearest state.
/// Of several, one that shows something is preferred. The start's document is always among them, too.
struct MapDocuments {
    private struct Sample {
        let state: Int
        let depth: Int
        let isReady: Bool
        let isEmpty: Bool

        init(_ id: Int, _ node: Node) {
            let screen = node.picture.screen
            state = id
            depth = node.journal.count
            isReady = screen.status == .ready
            isEmpty = screen.rows.isEmpty && screen.content == .null
        }

        func isBetter(than other: Sample) -> Bool {
            isReady && (!other.isReady || depth == other.depth && !isEmpty && other.isEmpty)
        }
    }

    private let maximumCount: Int
    private let maximumSize: Int
    /// The state of each screen's document; `nil` if the screen has none because of a limit.
    private var samples: [String: Sample?] = [:]
    private var documents: [Int: HTTPBody] = [:]
    private var size = 0

    /// - Parameter maximumSize: The largest size of all documents in bytes, apart from the start's.
    init(maximumCount: Int = 500, maximumSize: Int = 4 << 20) {
        self.maximumCount = maximumCount
        self.maximumSize = maximumSize
    }

    var isEmpty: Bool { documents.isEmpty }

    /// Whether the document of a state would be kept if there is room for it.
    func lack(_ id: Int, _ node: Node) -> Bool {
        guard let former = samples[node.offer.screen] else { return true }
        return former.map(Sample(id, node).isBetter) ?? false
    }

    /// Keeps the document of a state as that of its screen, if there is room for it.
    mutating func insert(_ document: HTTPBody, of id: Int, _ node: Node) {
        let former = samples[node.offer.screen] ?? nil
        let replaced = former.flatMap { $0.state == 0 ? nil : documents[$0.state] }
        let remaining = size - (replaced?.count ?? 0)
        let hasRoom = documents.count - (replaced == nil ? 0 : 1) < maximumCount
        guard id == 0 || hasRoom && remaining + document.count <= maximumSize else {
            samples[node.offer.screen] = .some(former)
            return
        }
        if let former, replaced != nil { documents[former.state] = nil }
        samples[node.offer.screen] = Sample(id, node)
        documents[id] = document
        size = remaining + (id == 0 ? 0 : document.count)
    }

    /// The number of screens that have no document because of a limit.
    var missingCount: Int { samples.values.count { $0 == nil } }

    func write(to json: inout JSONWriter<[UInt8]>) {
        json.array("documents", documents.sorted { $0.key < $1.key }) { json, document in
            json.object {
                $0.field("state", document.key)
                $0.key("route")
                $0.encoded { $0.append(contentsOf: document.value.bytes) }
            }
        }
    }
}

extension KeptTree {
    /// The route document of the tree; `nil` if the tree was taken.
    ///
    /// - Parameter version: The number of events that led to it.
    func routeDocument(at version: Int) -> HTTPBody? {
        read { RouteDocument.encode($0.root.liveState, session: nil, version: version) }
    }
}
