import Foundation
import Synchronization
import Testing

@testable import MicroHTTPD
@testable import ProcessSupport

/// The limit on memory held for many clients together.
struct MemoryQuotaTests {
    private func server(_ quota: MemoryQuota) throws -> TestServer {
        try TestServer.make(memory: HTTPMemory(bodies: quota)) { HTTPResponse(status: 200, body: "\($0.body.count)") }
    }

    private func request(_ size: Int, inChunks: Bool) -> String {
        let body = String(repeating: "x", count: size)
        return inChunks ? .chunked([body]) : .post("/", body: body)
    }

    @Test(arguments: [false, true])
    func aLargeBodyIsRefusedAtTheMemoryLimit(inChunks: Bool) throws {
        let test = try server(MemoryQuota(isUsedUp: { true }, use: { _ in }))
        #expect(try test.answer(request(100, inChunks: inChunks)).status == 200)
        #expect(try test.answer(request(10_000, inChunks: inChunks)).status == 503)
    }

    @Test(arguments: [false, true])
    func aBodyIsChargedUntilItsRequestEnds(inChunks: Bool) throws {
        let now = Atomic(0)
        let most = Atomic(0)
        let test = try server(
            MemoryQuota(
                isUsedUp: { false },
                use: { change in
                    let value = now.wrappingAdd(change, ordering: .relaxed).newValue
                    if value > most.load(ordering: .relaxed) { most.store(value, ordering: .relaxed) }
                }))
        for _ in 0..<3 { #expect(try test.answer(request(10_000, inChunks: inChunks)).status == 200) }
        test.server.stop(deadline: .seconds(10))
        #expect(now.load(ordering: .relaxed) == 0)
        #expect(most.load(ordering: .relaxed) >= 10_000)
    }

    // MARK: The machine's memory

    /// Creates a root folder with some files while the body runs.
    private func withRoot(_ files: [String: String], _ body: (String) -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        body(root.path)
    }

    @Test func theMachinesMemoryIsRead() throws {
        try withRoot(["proc/meminfo": "MemTotal:       16302048 kB\nMemFree:          100 kB\n"]) { root in
            #expect(ProcessMemory.machine(at: root) == 16_302_048 * 1_024)
        }
        try withRoot([:]) { root in #expect(ProcessMemory.machine(at: root) == nil) }
        #expect(try #require(ProcessMemory.limit()) > 0)
    }

    @Test(arguments: [
        (["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1000\n"], [1_000]),
        (["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"], []),
        (
            [
                "proc/self/cgroup": "0::/a.slice/b.scope\n", "sys/fs/cgroup/a.slice/b.scope/memory.max": "max\n",
                "sys/fs/cgroup/a.slice/memory.max": "2000\n",
            ], [2_000]
        ),
        (
            [
                "proc/self/cgroup": "5:cpu,cpuacct:/c\n4:memory:/docker/x\n0::/\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "3000\n",
            ], [3_000]
        ),
        ([:], []),
    ])
    func theControlGroupsLimitIsRead(files: [String: String], limits: [Int]) throws {
        try withRoot(files) { root in #expect(ProcessMemory.controlGroups(at: root) == limits) }
    }
}
