import Testing

@testable import MicroHTTPD

struct DeadlinesTests {
    private let millisecond: Int64 = 1_000_000
    private let second: Int64 = 1_000_000_000
    private let start: Int64 = 1_234_567_890_123

    @Test func dueItemsAreRemovedOnceAndInOrder() throws {
        var deadlines = Deadlines<Int>()
        for (number, seconds) in [30, 10, 20].enumerated() {
            deadlines.enter(number, at: start + Int64(seconds) * second)
        }
        #expect(deadlines.removeDue(by: start + 9 * second) == [])
        #expect(deadlines.removeDue(by: start + 21 * second) == [1, 2])
        #expect(deadlines.removeDue(by: start + 21 * second) == [])
        #expect(deadlines.removeDue(by: start + 31 * second) == [0])
        #expect(deadlines.next == nil)
    }

    @Test func itemsAreDueAtTheirTimes() throws {
        var deadlines = Deadlines<Int>()
        for milliseconds in stride(from: 1, to: 1_000, by: 7) {
            let time = start + Int64(milliseconds) * millisecond
            deadlines.enter(milliseconds, at: time)
            let next = try #require(deadlines.next)
            #expect(next >= time && next < time + 51 * millisecond)
            #expect(deadlines.removeDue(by: next) == [milliseconds])
        }
    }

    @Test func addingAnItemAgainMovesIt() {
        var deadlines = Deadlines<Int>()
        deadlines.enter(1, at: start + 1 * second)
        deadlines.enter(1, at: start + 5 * second)
        deadlines.enter(2, at: start + 5 * second)
        #expect(deadlines.removeDue(by: start + 2 * second) == [])
        deadlines.remove(2)
        deadlines.remove(3)
        #expect(deadlines.removeDue(by: start + 6 * second) == [1])
    }
}
