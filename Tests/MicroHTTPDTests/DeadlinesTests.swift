import Testing

@testable import MicroHTTPD

struct DeadlinesTests {
    private let start = ContinuousClock.now

    @Test func whatIsDueComesOutOnceAndInOrder() throws {
        var deadlines = Deadlines<Int>()
        for (number, second) in [30, 10, 20].enumerated() { deadlines.enter(number, at: start + .seconds(second)) }
        #expect(deadlines.removeDue(by: start + .seconds(9)) == [])
        #expect(deadlines.removeDue(by: start + .seconds(21)) == [1, 2])
        #expect(deadlines.removeDue(by: start + .seconds(21)) == [])
        #expect(deadlines.removeDue(by: start + .seconds(31)) == [0])
        #expect(deadlines.next == nil)
    }

    @Test func nothingIsDueBeforeItsTimeOrMuchLater() throws {
        var deadlines = Deadlines<Int>()
        for milliseconds in stride(from: 1, to: 1_000, by: 7) {
            let time = start + .milliseconds(milliseconds)
            deadlines.enter(milliseconds, at: time)
            let next = try #require(deadlines.next)
            #expect(next >= time && next < time + .milliseconds(51))
            #expect(deadlines.removeDue(by: next) == [milliseconds])
        }
    }

    @Test func anItemIsInItOnce() {
        var deadlines = Deadlines<Int>()
        deadlines.enter(1, at: start + .seconds(1))
        deadlines.enter(1, at: start + .seconds(5))
        deadlines.enter(2, at: start + .seconds(5))
        #expect(deadlines.removeDue(by: start + .seconds(2)) == [])
        deadlines.remove(2)
        deadlines.remove(3)
        #expect(deadlines.removeDue(by: start + .seconds(6)) == [1])
    }
}
