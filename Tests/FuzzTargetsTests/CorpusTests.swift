import Foundation
import FuzzTargets
import SeededGenerator
import Testing

/// The stored inputs: one of each kind for libFuzzer to begin with, and all inputs with which it found a fault.
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    private func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Self.folder.appending(path: target)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func thePropertyHoldsForEachInput(name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try inputs(of: name)
        #expect(!inputs.isEmpty)
        for input in inputs {
            await #expect(throws: Never.self, "\(name)/\(input.name)") { try await target.check(input.bytes) }
        }
    }

    /// Parts of the inputs, put together and changed at random. Connections are left to `make fuzz`: a request of one
    /// input may be noted during the next.
    @Test(arguments: FuzzTarget.all.map(\.name).filter { $0 != "connections" }, [1, 2] as [UInt64])
    func thePropertyHoldsForChangedInputs(name: String, seed: UInt64) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try inputs(of: name).map(\.bytes)
        var generator = SeededGenerator(state: seed)
        func part(of bytes: [UInt8]) -> [UInt8] {
            let start = Int.random(in: 0...bytes.count, using: &generator)
            return Array(bytes[start...].prefix(Int.random(in: 0...200, using: &generator)))
        }
        for _ in 0..<200 {
            var input = inputs.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...input.count, using: &generator)
                let end = min(input.count, place + Int.random(in: 0...3, using: &generator))
                let other = inputs.randomElement(using: &generator) ?? []
                let new =
                    Bool.random(using: &generator)
                    ? part(of: other)
                    : (0..<Int.random(in: 0...60, using: &generator)).map { _ in .random(in: 0...255, using: &generator)
                    }
                input.replaceSubrange(place..<end, with: new)
            }
            do {
                try await target.check(input)
            } catch {
                Issue.record("\(error)\nThe input: \(String(decoding: input, as: UTF8.self).debugDescription)")
                return
            }
        }
    }

    @Test func eachFolderOfInputsIsOfATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
