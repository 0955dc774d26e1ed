import Testing

@testable import CoordinateSessions

struct SessionIDTests {
    @Test func idsAreTwentyTwoURLSafeCharactersAndUnique() {
        let ids = (0..<10_000).map { _ in SessionID.random().description }
        #expect(Set(ids).count == ids.count)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(ids.allSatisfy { $0.count == 22 && $0.allSatisfy(alphabet.contains) })
    }

    @Test func everyCharacterMattersInEveryPosition() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let text = Array("AQIDBAUGBwgJCgsMDQ4PEA".utf8)
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = text
                bytes[place] = byte
                // The last one stands for two bits, and four that are not set.
                let value = alphabet.firstIndex(of: byte).flatMap { place < 21 || $0 % 16 == 0 ? $0 : nil }
                let id = SessionID(utf8: bytes.span)
                #expect((id == nil) == (value == nil))
                #expect(id?.description == value.map { _ in String(decoding: bytes, as: UTF8.self) })
                let bits = value.map { place < 21 ? UInt128($0) << (122 - 6 * place) : UInt128($0) >> 4 }
                let mask = place < 21 ? UInt128(63) << (122 - 6 * place) : 3
                #expect((id?.bits).map { $0 & mask } == bits)
            }
            for other in [Array(text.prefix(place)), text + text.prefix(place + 1)] {
                let id = SessionID(utf8: other.span)
                #expect(id == nil)
            }
        }
    }

    @Test func idsAreOrderedLikeTheirTexts() {
        var ids = (0..<100).map { _ in SessionID.random() }
        // These differ from the first one in a single bit.
        for place in 0..<128 { ids.append(SessionID(bits: ids[0].bits ^ UInt128(1) << place)) }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }

    @Test func everyShardGetsItsShare() {
        var counts = Array(repeating: 0, count: 64)
        for _ in 0..<64_000 { counts[SessionID.random().shard(of: 64)] += 1 }
        // A thousand each; ten standard deviations are 316.
        #expect(counts.allSatisfy { (684...1_316).contains($0) })
    }
}
