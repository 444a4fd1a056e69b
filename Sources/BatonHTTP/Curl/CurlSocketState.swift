import Baton

/// What the tasks that use a WebSocket connection and its thread owe each other, as a value.
///
/// Each wait of a task has a number. The state alone says which waits are not over, and each step returns those that it
/// ends. The thread knows only the numbers of the letters that it carries: if it loses one, the end of the thread still
/// ends the wait for it.
struct CurlSocketState: Sendable {
    /// The number of one wait.
    typealias Waiter = Int

    /// A message on its way out.
    struct Letter: Sendable {
        enum Content: Sendable {
            case text([UInt8])
            case close(code: Int, reason: String)
        }
        let content: Content
        /// Who waits until the system has the letter.
        let waiter: Waiter
    }

    /// What the thread has to do.
    struct Work: Sendable {
        var letters: [Letter]
        var isDropped: Bool
        /// True if received messages find room.
        var hasRoom: Bool
    }

    /// What follows from a step: the waits that are over, and whether the thread must look.
    struct Outcome: Sendable {
        var opener: (waiter: Waiter, result: Result<String?, any Error>)?
        var receiver: (waiter: Waiter, result: Result<WebSocketMessage, any Error>)?
        /// A receiver that another one has replaced.
        var displaced: Waiter?
        var senders: [(waiter: Waiter, result: Result<Void, any Error>)] = []
        var wakes = false
    }

    private(set) var opening: Result<String?, any Error>?
    private(set) var opener: Waiter?
    private(set) var receiver: Waiter?
    /// Those whose letters the system does not have yet.
    private(set) var senders: Set<Waiter> = []
    /// The letters that the thread has not taken.
    private(set) var letters: [Letter] = []
    private(set) var messages: [[UInt8]] = []
    private var bytes = 0
    /// What follows the last message.
    private(set) var end: Result<WebSocketMessage, any Error>?
    private(set) var isClosing = false
    private(set) var isDropped = false
    private var waiters = 0

    /// Until so much waits for a receiver, more is read.
    private static let (mostMessages, mostBytes) = (256, 1 << 20)
    private static let gone = HTTPError.closed(reason: "the connection is closed")

    var hasRoom: Bool {
        messages.count < Self.mostMessages && (messages.isEmpty || bytes < Self.mostBytes)
    }

    /// The number of a wait that may begin.
    mutating func newWaiter() -> Waiter {
        waiters += 1
        return waiters
    }

    // MARK: - The tasks

    // A task is cancelled before the handler of its cancellation runs. So a wait that begins after its handler, which
    // found nothing to end, learns of it by `isCancelled`.

    /// Waits until the connection is open. Only one task may do this, once.
    mutating func open(_ waiter: Waiter, isCancelled: Bool) -> Outcome {
        if let opening { return Outcome(opener: (waiter, opening)) }
        if isCancelled { return Outcome(opener: (waiter, .failure(CancellationError()))) }
        opener = waiter
        return Outcome()
    }

    /// Takes a letter, or refuses it.
    mutating func post(_ content: Letter.Content, _ waiter: Waiter, isCancelled: Bool) -> Outcome {
        let refusal: (any Error)? =
            switch end {
            case _ where isCancelled: CancellationError()
            case .failure(let error): error
            case .success: Self.gone
            case nil: isClosing || isDropped ? Self.gone : nil
            }
        if let refusal { return Outcome(senders: [(waiter, .failure(refusal))]) }
        if case .close = content { isClosing = true }
        letters.append(Letter(content: content, waiter: waiter))
        senders.insert(waiter)
        return Outcome(wakes: letters.count == 1)
    }

    /// Takes the next message or the end, or waits. Who waited before must not go on waiting.
    mutating func receive(_ waiter: Waiter, isCancelled: Bool) -> Outcome {
        if let message = messages.first {
            let wasFull = !hasRoom
            messages.removeFirst()
            bytes -= message.count
            return Outcome(receiver: (waiter, .success(.text(message))), wakes: wasFull && hasRoom)
        }
        if let end { return Outcome(receiver: (waiter, end)) }
        if isCancelled { return Outcome(receiver: (waiter, .failure(CancellationError()))) }
        defer { receiver = waiter }
        return Outcome(displaced: receiver)
    }

    /// Ends the wait of a receiver that is cancelled.
    mutating func cancelReceiving(_ waiter: Waiter) -> Outcome {
        guard receiver == waiter else { return Outcome() }
        receiver = nil
        return Outcome(receiver: (waiter, .failure(CancellationError())))
    }

    /// Ends the wait of a sender that is cancelled. A part of its letter may be sent, so that the connection is lost.
    mutating func cancelSending(_ waiter: Waiter) -> Outcome {
        var outcome = drop()
        if senders.remove(waiter) != nil { outcome.senders = [(waiter, .failure(CancellationError()))] }
        return outcome
    }

    /// Gives the connection up before it is open.
    mutating func cancelOpening(_ waiter: Waiter) -> Outcome {
        var outcome = drop()
        if opening == nil { opening = .failure(CancellationError()) }
        if opener == waiter {
            opener = nil
            outcome.opener = (waiter, .failure(CancellationError()))
        }
        return outcome
    }

    /// Has the connection closed at once.
    mutating func drop() -> Outcome {
        isDropped = true
        return Outcome(wakes: true)
    }

    /// The same, unless it is being closed, which has an end of its own.
    mutating func letGo() -> Outcome { isClosing ? Outcome() : drop() }

    // MARK: - The thread

    mutating func work() -> Work {
        defer { letters = [] }
        return Work(letters: letters, isDropped: isDropped, hasRoom: hasRoom)
    }

    mutating func opened(_ subprotocol: String?) -> Outcome {
        guard opening == nil else { return Outcome() }
        opening = .success(subprotocol)
        defer { opener = nil }
        return Outcome(opener: opener.map { ($0, .success(subprotocol)) })
    }

    /// Notes that the system has a letter, or that it is refused.
    mutating func settle(_ waiter: Waiter, _ result: Result<Void, any Error>) -> Outcome {
        senders.remove(waiter) == nil ? Outcome() : Outcome(senders: [(waiter, result)])
    }

    /// Adds a message, or hands it to the task that waits.
    mutating func put(_ message: [UInt8]) -> Outcome {
        if let waiter = receiver.take() { return Outcome(receiver: (waiter, .success(.text(message)))) }
        messages.append(message)
        bytes += message.count
        return Outcome()
    }

    /// Says what follows the last message. Only the first end counts.
    mutating func end(_ end: Result<WebSocketMessage, any Error>) -> Outcome {
        var outcome = Outcome()
        if self.end == nil { self.end = end }
        if opening == nil {
            let error: any Error =
                if case .failure(let error) = end { error } else { HTTPError.closed(reason: "closed by the server") }
            opening = .failure(error)
            outcome.opener = opener.take().map { ($0, .failure(error)) }
        }
        outcome.receiver = receiver.take().map { ($0, end) }
        return outcome
    }

    /// Notes that the thread ends. Every wait is over, and no letter is taken any more.
    mutating func stop() -> Outcome {
        var outcome = end(.failure(Self.gone))
        outcome.senders = senders.sorted().map { ($0, .failure(Self.gone)) }
        (senders, letters) = ([], [])
        return outcome
    }
}
