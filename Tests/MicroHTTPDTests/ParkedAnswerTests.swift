import Dispatch
import Synchronization
import Testing

@testable import MicroHTTPD

/// Parked and later answers, on a server with one worker.
struct ParkedAnswerTests {
    @Test(arguments: Way.allCases)
    func aParkedRequestIsAnsweredAndItsConnectionKept(way: Way) throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let client = try RawClient(port: server.port)
        for round in 0..<5 {
            try client.send(.get(way.path(round)))
            #expect(handler.begun.isSignalled())
            handler.answerAll()
            let answer = try client.answer()
            #expect(answer.status == 201)
            #expect(answer.body == way.path(round))
            #expect(answer.headers["connection"] != "close")
            #expect(try client.hello() == "hello")
        }
        #expect(!handler.expired.isSignalledByNow())
    }

    @Test(arguments: Way.allCases)
    func aRequestCanBeAnsweredWithinItsBeginClosure(way: Way) throws {
        let (_, server) = try StreamServer.make(workers: 1) { _, _ in
            way.answer { answer in
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

    @Test(arguments: Way.allCases)
    func aHundredParkedRequestsDelayNoOthers(way: Way) throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let clients = try (0..<100).map { try handler.client(of: server, way.path($0)) }
        #expect(handler.waitingCount == 100)
        let other = try RawClient(port: server.port)
        for _ in 0..<3 { #expect(try other.hello() == "hello") }
        handler.answerAll()
        for (number, client) in clients.enumerated() { #expect(try client.answer().body == way.path(number)) }
    }

    @Test(arguments: Way.allCases)
    func requestsInOnePipelineAreAnsweredInOrder(way: Way) throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let client = try RawClient(port: server.port)
        try client.send(.post(way.path(0), body: "body") + .get(way.path(1)) + .get("/hello"))
        for round in 0..<2 {
            #expect(handler.begun.isSignalled())
            handler.answerAll()
            #expect(try client.answer().body == way.path(round))
        }
        #expect(try client.answer().body == "hello")
    }

    @Test(arguments: Way.allCases, [0, 30])
    func theFallbackAnswersAfterTheTimeLimit(way: Way, milliseconds: Int) throws {
        let (handler, server) = try StreamServer.make(workers: 1, wait: .milliseconds(milliseconds))
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.send(.get(way.path()))
            let answer = try client.answer()
            #expect(answer.status == 202)
            #expect(answer.body == "nothing new")
            #expect(handler.expired.isSignalled())
            #expect(handler.waitingCount == 0)
        }
        #expect(try client.hello() == "hello")
    }

    /// Leaving includes closing the sending side, unless the request is worked on.
    @Test(arguments: [(way: Way.parked, halfway: true), (.parked, false), (.later, false)])
    func aParkedRequestEndsWhenItsClientLeaves(way: Way, halfway: Bool) throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let stays = try handler.client(of: server, way.path("stays"))
        var leaves: RawClient? = try handler.client(of: server, way.path("leaves"))
        let answers = handler.answers
        if halfway { leaves?.finishSending() } else { leaves = nil }
        #expect(handler.expired.isSignalled())
        #expect(handler.waitingCount == 1)
        #expect(answers.filter(\.isOver).count == 1)
        #expect(answers.filter { $0.answer(with: HTTPResponse(status: 200, body: "late")) }.count == 1)
        #expect(try stays.answer().body == "late")
        let rest = try leaves?.everything() ?? ""
        #expect(rest.isEmpty)
    }

    @Test(arguments: [true, false])
    func aHalfClosedClientIsAwaitedForAWhileIfItsRequestIsWorkedOn(isWorkedOn: Bool) {
        let used = Atomic(0)
        do {
            let answer = PendingAnswer(
                to: .local(LocalExchange()), bodySize: 100, isWorkedOn: isWorkedOn,
                otherwise: { HTTPResponse(status: 202) },
                quota: MemoryQuota(isUsedUp: { false }, use: { used.add($0, ordering: .relaxed) }))
            _ = answer.takeOrWait()
            let start = ContinuousClock.now
            let times: [Duration] = [.zero, PendingAnswer.faith - .milliseconds(1), PendingAnswer.faith]
            #expect(times.map { answer.isStillAwaited(at: start + $0) } == [isWorkedOn, isWorkedOn, false])
            #expect(used.load(ordering: .relaxed) > 100)
        }
        #expect(used.load(ordering: .relaxed) == 0)
    }

    @Test func anAnswerThatComesWhileItsRequestBeginsToWaitArrives() async {
        let exchange = LocalExchange()
        let answer = PendingAnswer(
            to: .local(exchange), bodySize: 0, isWorkedOn: true, otherwise: { HTTPResponse(status: 503) }, quota: nil)
        #expect(answer.takeOrWait() == nil)
        #expect(answer.answer(with: HTTPResponse(status: 201)))
        exchange.park(answer, atMost: .seconds(60))
        #expect(await exchange.response().status == 201)
    }

    @Test func aClientThatClosedItsSendingSideIsAnswered() throws {
        let (handler, server) = try StreamServer.make(workers: 1)
        let asks = try handler.client(of: server, "/later/asks")
        let waits = try handler.client(of: server, "/parked/waits")
        asks.finishSending()
        waits.finishSending()
        // The parked requests expire. By then the server has noticed that both clients closed their sending sides.
        #expect(handler.expired.isSignalled())
        handler.answerAll()
        #expect(try waits.everything().isEmpty)
        #expect(try asks.answer().body == "/later/asks")
        let hello = try RawClient(port: server.port)
        try hello.send(.get("/hello"))
        hello.finishSending()
        #expect(try hello.answer().body == "hello")
    }

    @Test(arguments: Way.allCases)
    func theFirstAnswerCounts(way: Way) throws {
        let (handler, server) = try StreamServer.make(workers: 2, wait: .milliseconds(1))
        let ended = Atomic(false)
        let answered = Atomic(0)
        let threads = DispatchGroup()
        DispatchQueue(label: "lane").async(group: threads) {
            while !ended.load(ordering: .relaxed) { handler.answerAll() }
        }
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            guard let client = try? RawClient(port: server.port) else { return }
            for round in 0..<100 {
                try? client.send(.get(way.path(round)))
                guard let answer = try? client.answer() else { return }
                if answer.status == 202 || answer.body == way.path(round) { answered.add(1, ordering: .relaxed) }
            }
        }
        ended.store(true, ordering: .relaxed)
        threads.wait()
        #expect(answered.load(ordering: .relaxed) == 400)
    }
}
