import Foundation
import FuzzTargets
import Testing

/// The stored inputs: one of each kind for libFuzzer to begin with, and all inputs with which it found a fault.
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    @Test(arguments: FuzzTarget.all.map(\.name))
    func thePropertyHoldsForEachInput(name: String) async throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = Self.folder.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let input = try Array(Data(contentsOf: file))
            await #expect(throws: Never.self, "\(name)/\(file.lastPathComponent)") { try await target.check(input) }
        }
    }

    @Test func eachFolderOfInputsIsOfATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }
}
