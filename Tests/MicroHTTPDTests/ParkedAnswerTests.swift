import Dispatch
import MicroHTTPD
import Synchronization
import Testing

/// Answers that somebody gives in the end, on a server with one worker.
struct ParkedAnswerTests {
    /// Parks every request but `/hello`.
    private final class Handler: HTTPHandler {
        private let waiting = Mutex<[ObjectIdentifier: (path: String, answer: HTTPParkedAnswer)]>([:])
        let wait: Duration
        /// Whether it lets go of each answer at once.
        let isForgetful: Bool
        let begun = DispatchSemaphore(value: 0)
        let expired = DispatchSemaphore(value: 0)

        init(wait: Duration = .seconds(30), isForgetful: Bool = false) {
            self.wait = wait
            self.isForgetful = isForgetful
        }

        var count: Int { waiting.withLock { $0.count } }

        var answers: [HTTPParkedAnswer] { waiting.withLock { $0.values.map(\.answer) } }

        func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
            let path = request.path
            if path == "/hello" { return .now(HTTPResponse(status: 200, body: "hello")) }
            return .parked(
                atMost: wait, otherwise: { HTTPResponse(status: 202, body: "nothing new") },
                begin: { answer in self.keep(answer, to: path) })
        }

        private func keep(_ answer: HTTPParkedAnswer, to path: String) {
            let id = ObjectIdentifier(answer)
            if !isForgetful { waiting.withLock { $0[id] = (path, answer) } }
            answer.whenExpired {
                _ = self.waiting.withLock { $0.removeValue(forKey: id) }
                self.expired.signal()
            }
            begun.signal()
        }

        func answerAll() {
            let all = waiting.withLock { waiting in
                defer { waiting = [:] }
                return waiting.values
            }
            for (path, answer) in all { answer.answer(with: HTTPResponse(status: 200, body: path)) }
        }
    }

    private func serve(_ handler: Handler, workers: Int = 1) throws -> HTTPServer {
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(port: 0, workers: workers, connectionLimit: 1_000), handler: handler)
        try server.start()
        return server
    }

    @Test func aParkedRequestIsAnsweredAndItsConnectionKept() throws {
        let handler = Handler()
        let server = try serve(handler)
        let client = try RawClient(port: server.port)
        for round in 0..<5 {
            try client.send(.get("/\(round)"))
            #expect(handler.begun.isSignalled())
            handler.answerAll()
            let answer = try client.answer()
            #expect(answer.status == 200)
            #expect(answer.body == "/\(round)")
            #expect(try client.hello() == "hello")
        }
    }

    @Test func itMayBeAnsweredBeforeItsBeginningIsOver() throws {
        let (_, server) = try StreamServer.make(workers: 1) { _, _ in
            .parked(atMost: .seconds(30), otherwise: { HTTPResponse(status: 304) }) { answer in
                #expect(!answer.isOver)
                #expect(answer.answer(with: HTTPResponse(status: 200, body: "at once")))
                #expect(answer.isOver)
                #expect(!answer.answer(with: HTTPResponse(status: 500)))
            }
        }
        let client = try RawClient(port: server.port)
        try client.send(.get("/") + .get("/hello"))
        #expect(try client.answer().body == "at once")
        #expect(try client.answer().body == "hello")
    }

    @Test func aHundredWaitAndNobodyElseDoes() throws {
        let handler = Handler()
        let server = try serve(handler)
        let clients = try (0..<100).map { _ in try RawClient(port: server.port) }
        for (number, client) in clients.enumerated() { try client.send(.get("/\(number)")) }
        #expect(handler.begun.isSignalled(times: 100))
        #expect(try RawClient(port: server.port).hello() == "hello")
        handler.answerAll()
        for (number, client) in clients.enumerated() { #expect(try client.answer().body == "/\(number)") }
    }

    @Test(arguments: [0, 30])
    func pastItsTimeTheStandInAnswers(milliseconds: Int) throws {
        let handler = Handler(wait: .milliseconds(milliseconds))
        let server = try serve(handler)
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.send(.get("/"))
            let answer = try client.answer()
            #expect(answer.status == 202)
            #expect(answer.body == "nothing new")
            #expect(handler.expired.isSignalled())
            #expect(handler.count == 0)
        }
        #expect(try client.hello() == "hello")
    }

    @Test func anAnswerThatIsLetGoOfIsTheStandIns() throws {
        let handler = Handler(isForgetful: true)
        let server = try serve(handler)
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        #expect(try client.answer().body == "nothing new")
        #expect(handler.expired.isSignalled())
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesIsForgotten(halfway: Bool) throws {
        let handler = Handler()
        let server = try serve(handler)
        let stays = try RawClient(port: server.port)
        try stays.send(.get("/stays"))
        #expect(handler.begun.isSignalled())
        var leaves: RawClient? = try RawClient(port: server.port)
        try leaves?.send(.get("/leaves"))
        #expect(handler.begun.isSignalled())
        let answers = handler.answers
        if halfway { leaves?.finishSending() } else { leaves = nil }
        #expect(handler.expired.isSignalled())
        #expect(handler.count == 1)
        #expect(answers.filter(\.isOver).count == 1)
        #expect(answers.filter { $0.answer(with: HTTPResponse(status: 200, body: "late")) }.count == 1)
        #expect(try stays.answer().body == "late")
        let rest = try leaves?.everything() ?? ""
        #expect(rest.isEmpty)
    }

    @Test func anActionThatComesTooLateIsDoneAtOnce() throws {
        let answers = Mutex<[HTTPParkedAnswer]>([])
        let (_, server) = try StreamServer.make { _, _ in
            .parked(atMost: .zero, otherwise: { HTTPResponse(status: 202) }) { answer in
                answers.withLock { $0.append(answer) }
            }
        }
        let client = try RawClient(port: server.port)
        try client.send(.get("/"))
        #expect(try client.answer().status == 202)
        let done = DispatchSemaphore(value: 0)
        answers.withLock { $0[0] }.whenExpired { done.signal() }
        #expect(done.isSignalled())
    }

    @Test func whoeverIsFirstAnswers() throws {
        let handler = Handler(wait: .milliseconds(1))
        let server = try serve(handler, workers: 2)
        let ended = Atomic(false)
        let answered = Atomic(0)
        let threads = DispatchGroup()
        DispatchQueue.global().async(group: threads) {
            while !ended.load(ordering: .relaxed) { handler.answerAll() }
        }
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            guard let client = try? RawClient(port: server.port) else { return }
            for round in 0..<100 {
                try? client.send(.get("/\(round)"))
                guard let answer = try? client.answer() else { return }
                if answer.status == 202 || answer.body == "/\(round)" { answered.add(1, ordering: .relaxed) }
            }
        }
        ended.store(true, ordering: .relaxed)
        threads.wait()
        #expect(answered.load(ordering: .relaxed) == 400)
    }
}
