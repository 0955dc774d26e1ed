import Testing

@testable import MicroHTTPD

struct AgendaTests {
    private let start = ContinuousClock.now

    @Test func whatIsDueComesOutOnceAndInOrder() throws {
        var agenda = Agenda<Int>()
        for (number, second) in [30, 10, 20].enumerated() { agenda.enter(number, at: start + .seconds(second)) }
        #expect(agenda.removeDue(by: start + .seconds(9)) == [])
        #expect(agenda.removeDue(by: start + .seconds(21)) == [1, 2])
        #expect(agenda.removeDue(by: start + .seconds(21)) == [])
        #expect(agenda.removeDue(by: start + .seconds(31)) == [0])
        #expect(agenda.next == nil)
    }

    @Test func nothingIsDueBeforeItsTimeOrMuchLater() throws {
        var agenda = Agenda<Int>()
        for milliseconds in stride(from: 1, to: 1_000, by: 7) {
            let time = start + .milliseconds(milliseconds)
            agenda.enter(milliseconds, at: time)
            let next = try #require(agenda.next)
            #expect(next >= time && next < time + .milliseconds(51))
            #expect(agenda.removeDue(by: next) == [milliseconds])
        }
    }

    @Test func anItemIsInItOnce() {
        var agenda = Agenda<Int>()
        agenda.enter(1, at: start + .seconds(1))
        agenda.enter(1, at: start + .seconds(5))
        agenda.enter(2, at: start + .seconds(5))
        #expect(agenda.removeDue(by: start + .seconds(2)) == [])
        agenda.remove(2)
        agenda.remove(3)
        #expect(agenda.removeDue(by: start + .seconds(6)) == [1])
    }
}
