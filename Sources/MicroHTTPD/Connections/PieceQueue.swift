/// The pieces that a stream has yet to send. An empty queue allocates no memory.
///
/// A piece is kept and charged until it is completely sent.
struct PieceQueue {
    private var pieces: [HTTPBody] = []
    /// The number of sent pieces at the front, and the number of sent bytes of the next one.
    private var sentPieces = 0
    private var sentBytes = 0
    /// The number of bytes yet to be sent.
    private(set) var size = 0
    private let quota: MemoryQuota?

    /// - Parameter quota: Charged for the waiting pieces, once for all queues that share it.
    init(sharing quota: MemoryQuota? = nil) {
        self.quota = quota
    }

    var isEmpty: Bool { pieces.isEmpty }
    var count: Int { pieces.count - sentPieces }

    /// Adds a piece of one byte or more.
    mutating func append(_ piece: HTTPBody) {
        piece.beginToWait(chargedTo: quota)
        pieces.append(piece)
        size += piece.count
    }

    mutating func removeAll() {
        for piece in pieces[sentPieces...] { piece.endToWait(chargedTo: quota) }
        self = PieceQueue(sharing: quota)
    }

    /// Moves as many bytes as there is room for, and returns their number.
    mutating func move(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var room = unsafe buffer[...]
        while unsafe !room.isEmpty, sentPieces < pieces.count {
            let unsent = unsafe pieces[sentPieces].raw[sentBytes...]
            let part = unsafe unsent.prefix(room.count)
            unsafe UnsafeMutableRawBufferPointer(rebasing: room).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: part))
            unsafe room = room[(room.startIndex + part.count)...]
            if unsafe part.count == unsent.count {
                pieces[sentPieces].endToWait(chargedTo: quota)
                pieces[sentPieces] = .empty
                sentPieces += 1
                sentBytes = 0
            } else {
                unsafe sentBytes += part.count
            }
        }
        let moved = unsafe buffer.count - room.count
        size -= moved
        if size == 0 {
            removeAll()
        } else if sentPieces >= 64 && sentPieces >= count {
            pieces.removeFirst(sentPieces)
            sentPieces = 0
        }
        return moved
    }
}
