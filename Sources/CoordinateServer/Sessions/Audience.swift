internal import MicroHTTPD

/// Those who follow one session: streams that are told every version, and requests that wait for the next one.
struct Audience: Sendable {
    /// What a member is removed by.
    typealias Seat = Int

    private struct Waiter {
        let answer: HTTPParkedAnswer
        /// Which versions it knows already.
        let preconditions: Preconditions
    }

    private var openStreams: [Seat: HTTPStream] = [:]
    private var waiters: [Seat: Waiter] = [:]
    private var lastSeat: Seat = 0

    var isEmpty: Bool { openStreams.isEmpty && waiters.isEmpty }

    var streams: some Collection<HTTPStream> { openStreams.values }

    /// A seat that nobody had before.
    mutating func freeSeat() -> Seat {
        lastSeat += 1
        return lastSeat
    }

    mutating func add(_ stream: HTTPStream, at seat: Seat) {
        openStreams[seat] = stream
    }

    mutating func add(_ answer: HTTPParkedAnswer, at seat: Seat, knowing preconditions: Preconditions) {
        waiters[seat] = Waiter(answer: answer, preconditions: preconditions)
    }

    mutating func remove(_ seat: Seat) {
        openStreams[seat] = nil
        waiters[seat] = nil
    }

    /// Takes out the requests that are to be told of a version with this tag.
    mutating func takeWaiters(for tag: String) -> [HTTPParkedAnswer] {
        let served = waiters.filter { !$0.value.preconditions.know(tag) }
        for seat in served.keys { waiters[seat] = nil }
        return served.values.map(\.answer)
    }
}
