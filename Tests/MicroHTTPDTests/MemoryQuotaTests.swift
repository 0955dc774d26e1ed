import Foundation
import Synchronization
import Testing

@testable import MicroHTTPD
@testable import ProcessSupport

/// The limit on memory held for many clients together.
struct MemoryQuotaTests {
    private func server(_ quota: MemoryQuota) throws -> HTTPServer {
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0),
            handler: TestHandler { HTTPResponse(status: 200, body: "\($0.body.count)") },
            memory: HTTPMemory(bodies: quota))
        try server.start()
        return server
    }

    private func post(_ size: Int, to server: HTTPServer, inChunks: Bool) throws -> Int {
        let client = try RawClient(port: server.port)
        let body = String(repeating: "x", count: size)
        try client.send(inChunks ? .chunked([body]) : .post("/", body: body))
        return try client.answer().status
    }

    @Test(arguments: [false, true])
    func aLargeBodyIsRefusedAtTheMemoryLimit(inChunks: Bool) throws {
        let server = try server(MemoryQuota(isUsedUp: { true }, use: { _ in }))
        #expect(try post(100, to: server, inChunks: inChunks) == 200)
        #expect(try post(10_000, to: server, inChunks: inChunks) == 503)
    }

    @Test(arguments: [false, true])
    func aBodyIsChargedUntilItsRequestEnds(inChunks: Bool) throws {
        let now = Atomic(0)
        let most = Atomic(0)
        let server = try server(
            MemoryQuota(
                isUsedUp: { false },
                use: { change in
                    let value = now.wrappingAdd(change, ordering: .relaxed).newValue
                    if value > most.load(ordering: .relaxed) { most.store(value, ordering: .relaxed) }
                }))
        for _ in 0..<3 { #expect(try post(10_000, to: server, inChunks: inChunks) == 200) }
        server.stop(deadline: .seconds(10))
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
