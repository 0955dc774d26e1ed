import Testing

@testable import CoordinateSessions

struct SessionIDTests {
    @Test func idsAreTwentyTwoURLSafeCharactersAndUnique() {
        let ids = (0..<10_000).map { _ in SessionID.random().description }
        #expect(Set(ids).count == ids.count)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(ids.allSatisfy { $0.count == 22 && $0.allSatisfy(alphabet.contains) })
    }

    @Test func anIDIsReadAsItWasWritten() {
        for _ in 0..<1_000 {
            let id = SessionID.random()
            #expect(SessionID(id.description) == id)
        }
        for text in ["AAAAAAAAAAAAAAAAAAAAAA", "_____________________w", "AQIDBAUGBwgJCgsMDQ4PEA"] {
            #expect(SessionID(text)?.description == text)
        }
    }

    @Test(arguments: [
        "", "A", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA_",
        "AAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAA+/", " AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA\u{E9}",
        "AAAAAAAAAAAAAAAAAAAAA\u{0}",
    ])
    func whatTheServerWouldNotWriteIsNoID(text: String) {
        #expect(SessionID(text) == nil)
    }

    @Test func idsAreOrderedAsTheirCharactersAreAlphabetically() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        func places(_ id: SessionID) -> [Int] { id.description.compactMap { alphabet.firstIndex(of: $0) } }
        let ids = (0..<100).map { _ in SessionID.random() }.sorted()
        #expect(zip(ids, ids.dropFirst()).allSatisfy { places($0).lexicographicallyPrecedes(places($1)) })
    }

    @Test func everyShardGetsItsShare() {
        var counts = Array(repeating: 0, count: 64)
        for _ in 0..<64_000 { counts[SessionID.random().shard(of: 64)] += 1 }
        // A thousand each; ten standard deviations are 316.
        #expect(counts.allSatisfy { (684...1_316).contains($0) })
    }
}
