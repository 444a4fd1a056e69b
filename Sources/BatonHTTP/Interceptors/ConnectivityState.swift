// Reconnecting has several owners, this one for a service that is away; ReadingTheDesign.md names the others.

import Baton

/// What a ``ConnectivityInterceptor`` knows, and what follows from its requests and probes.
struct ConnectivityState {
    /// A query with the steps to which it goes.
    struct Question {
        let request: NetworkRequest
        let next: NetworkInterceptor.Next
    }

    struct Attachment {
        weak var environment: RelayEnvironment?
        let age: Duration
    }

    /// What is to be done after an outage.
    struct End {
        let search: Task<Void, Never>?
        let environments: [Attachment]
    }

    /// A task that looks for the service. It stops when another number is that of the search.
    struct Search {
        let number: Int
        var task: Task<Void, Never>?
    }

    private(set) var status = ConnectivityInterceptor.Status()
    private(set) var listeners: [Int: AsyncStream<ConnectivityInterceptor.Status>.Continuation] = [:]
    private var lastListener = 0
    private var environments: [Attachment] = []
    /// The number of the newest request or probe.
    private var last = 0
    /// The newest request or probe that the service has answered.
    private var newestAnswered = 0
    private var lastQuery: Question?
    /// The query with which the service is looked for: the one that has failed, or the last one before a mutation that
    /// has.
    private var question: Question?
    private(set) var search: Search?
    private var lastSearch = 0
    /// The time of the next probe.
    private(set) var due: Duration?
    /// The number of pauses in a row.
    private var attempts = 0
    /// The time from which an outage begins a new row of pauses.
    private var rest = Duration.zero

    mutating func attach(_ environment: RelayEnvironment, _ age: Duration) {
        environments.removeAll { $0.environment == nil || $0.environment === environment }
        environments.append(Attachment(environment: environment, age: age))
    }

    // MARK: - Telling

    /// Adds a listener, which gets the current status. Returns its number.
    mutating func add(_ listener: AsyncStream<ConnectivityInterceptor.Status>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        listener.yield(status)
        return lastListener
    }

    mutating func remove(_ listener: Int) { listeners[listener] = nil }

    /// Tells the current status. That is done while the lock is held, so that the statuses are in order; the listeners
    /// take them later.
    private func tell() {
        for listener in listeners.values { listener.yield(status) }
    }

    // MARK: - Requests

    /// Begins a request, which is a query if there is a question. Returns its number.
    mutating func begin(_ question: Question?) -> Int {
        last += 1
        status.requestsInFlight += 1
        if let question { lastQuery = question }
        tell()
        return last
    }

    /// Ends a request. Returns the number of the search that is to begin, if any.
    mutating func end(
        _ number: Int, _ question: Question?, _ error: RelayError?, at now: Duration, hasProbe: Bool
    ) -> Int? {
        defer { tell() }
        status.requestsInFlight -= 1
        guard let error, number >= newestAnswered else { return nil }
        if status.outage == nil {
            if now >= rest { attempts = 0 }
            status.outage = ConnectivityInterceptor.Outage(error)
            self.question = question ?? lastQuery
        } else {
            status.outage?.error = error
            if self.question == nil { self.question = question }
        }
        guard search == nil, hasProbe || self.question != nil else { return nil }
        lastSearch += 1
        search = Search(number: lastSearch)
        return lastSearch
    }

    /// Notes an answer. Returns what is to be done if an outage is over by it.
    mutating func reach(by number: Int, at now: Duration, _ policy: ReconnectPolicy) -> End? {
        newestAnswered = max(newestAnswered, number)
        guard status.outage != nil else { return nil }
        defer { (search, due, question) = (nil, nil, nil) }
        status.outage = nil
        rest = BoundedTime.end(of: policy.longestDelay(attempt: attempts) ?? .zero, from: now)
        environments.removeAll { $0.environment == nil }
        tell()
        return End(search: search?.task, environments: environments)
    }

    // MARK: - Search

    /// Keeps the task of a search; returns false if the search is over.
    mutating func keep(_ task: Task<Void, Never>, of search: Int) -> Bool {
        guard self.search?.number == search else { return false }
        self.search?.task = task
        return true
    }

    /// The number of the next attempt of a search, and the failure before it; nil if the search is over.
    mutating func nextAttempt(of search: Int) -> (attempt: Int, error: RelayError)? {
        guard let outage = status.outage, self.search?.number == search else { return nil }
        attempts += 1
        return (attempts, outage.error)
    }

    /// Notes when the next probe is due; without a time there is none, and the search is over. Returns false if it is.
    mutating func wait(until due: Duration?, of search: Int) -> Bool {
        guard self.search?.number == search else { return false }
        self.due = due
        if due == nil { self.search = nil }
        return due != nil
    }

    /// Begins a probe of a search; nil if the search is over.
    mutating func beginProbe(of search: Int) -> (number: Int, question: Question?)? {
        guard self.search?.number == search else { return nil }
        last += 1
        status.outage?.isProbing = true
        tell()
        return (last, question)
    }

    /// Ends a probe that has not found the service, unless the search is over.
    mutating func endProbe(of search: Int, _ error: RelayError?) {
        guard self.search?.number == search else { return }
        status.outage?.isProbing = false
        status.outage?.failedProbes += 1
        if let error { status.outage?.error = error }
        tell()
    }
}
