/// The decisions of a fragment handle: what it reads and shows, and whether it retains and watches the operation of its
/// reference. A `Reader` knows what was read.
struct FragmentMachine: Machine {
    /// What the handle has of the operation to which its target belongs.
    private enum Hold: Sendable {
        /// Nothing: there is no target, or it comes from another environment.
        case none
        case retained
        /// The handle is told of the operation's requests too, because one may bring what is missing.
        case watched
    }

    /// What the log knows of missing data. While a request may bring the data, nothing is missed.
    private enum Report: Sendable {
        case none
        case due
    }

    /// What a frame has read of the handle.
    private enum Frame: Sendable {
        case data
        /// The reference too, so that another one changes what the frame shows even if the data of both is equal.
        case reference
    }

    enum Event: Sendable {
        /// Another target is given, with the status of the handle or without. If it `isOwn`, its operation is retained
        /// for the machine.
        case updated(GeneratedCode.FragmentTarget?, isOwn: Bool, showsStatus: Bool)
        /// A frame has read the reference.
        case referenceShown
        /// The handle has another status, which leaves the data as it is.
        case statusChanged
        case closed

        // Answers to questions.
        /// The target of a look was read.
        case read(Read, ReadTask<Target>, publish: Int)
        /// The target of a look cannot be read; this is to be shown.
        indirect case refused(Reading.Content, ReadTask<Target>)
        case subscribed(SubscriptionID, hasChanged: Bool)
    }

    typealias Target = GeneratedCode.FragmentTarget?

    /// What a read has given, and what is to be shown of it.
    struct Read: Sendable {
        let result: RowResult
        /// True if the data differs from that of the last read.
        let isDifferent: Bool
        let choice: Choice
    }

    /// The choice between the data of a read and what is shown instead while a part of it is missing.
    enum Choice: Sendable {
        case data
        case loading
        // Indirect, because an event is copied several times in each read.
        indirect case failure(LastFetches.Failure)

        var shown: Reader.Shown {
            switch self {
            case .data: .data
            case .loading: .loading
            case .failure(let failure): .failure(failure.number)
            }
        }

        func content(of result: RowResult) -> Reading.Content {
            switch self {
            case .data: result.content
            case .loading: .loading
            case .failure(let failure): .failure(failure.error)
            }
        }
    }

    /// Inside the lock, as a part of the step.
    enum InLock: Sendable {
        /// Subscribe to what was read; `subscribed` follows.
        case subscribe(RowResult, replacing: SubscriptionID?)
        case clear(SubscriptionID)
        case unsubscribe(SubscriptionID)
        case watch(BoundOperation)
        case unwatch(BoundOperation)
    }

    /// For the thread that has sent the event.
    enum Caller: Sendable {
        /// Look whether the target's requests still make it show the same.
        indirect case confirm(Read, GeneratedCode.FragmentTarget)
        /// Count a change and notify the observers.
        case mark
        /// Notify the observers.
        case notify
        case reportMissing(GeneratedCode.FragmentTarget)
        /// Let go what may hold the last reference to an object of the application.
        case discard(Reading?, RowResult?)
    }

    /// In the queue.
    enum Queued: Sendable {
        case release(OperationUse)
    }

    private(set) var target: GeneratedCode.FragmentTarget?
    private(set) var reader = Reader(.former)
    private var hold: Hold
    private var report = Report.none
    private var frame = Frame.data

    /// Makes a machine with a target. If it `isOwn`, its operation is retained for the machine.
    @inline(__always)
    init(_ target: GeneratedCode.FragmentTarget?, isOwn: Bool) {
        self.target = target
        hold = isOwn ? .retained : .none
    }

    var isClosed: Bool { reader.freshness == .closed }

    /// Looks for the newest reading after `changes` changes.
    ///
    /// - Parameter begin: The count of changes before the call, if it has read already.
    func look(at changes: Int, since begin: Int?) -> Look<ReadTask<Target>> {
        guard reader.mustRead(at: changes) else { return .shown(reader.reading ?? .nothing) }
        if let begin, reader.isTooLarge(since: begin) { return .shown(reader.reading ?? .nothing) }
        return .unknown(ReadTask(target, of: reader, at: changes))
    }

    // MARK: - Events

    mutating func handle(_ event: consuming Event) -> Effects {
        var effects = Effects()
        if isClosed {
            refuse(event, &effects)
        } else if case .subscribed = event {
            // It lets nothing go.
            decide(event, &effects)
        } else {
            let (reading, result) = (reader.reading, reader.result)
            decide(event, &effects)
            if reading !== reader.reading || result !== reader.result, reading != nil || result != nil {
                effects.append(.caller(.discard(reading, result)))
            }
        }
        return effects
    }

    private mutating func decide(_ event: consuming Event, _ effects: inout Effects) {
        switch consume event {
        case .updated(let target, let isOwn, let showsStatus):
            update(target, isOwn: isOwn, showsStatus: showsStatus, &effects)
        case .referenceShown: frame = .reference
        case .statusChanged: showStatus(&effects)
        case .closed:
            part(&effects)
            hold = .none
            if let subscription = reader.close() { effects.append(.inLock(.unsubscribe(subscription))) }
        case .read(let read, let task, let publish): take(read, task, publish, &effects)
        case .refused(let content, let task):
            guard reader.accept(since: task.moves, at: task.changes) else { return }
            reader.refuse(content)
            if let subscription = reader.forget() { effects.append(.inLock(.clear(subscription))) }
        case .subscribed(let id, let hasChanged):
            reader.subscribed(id)
            if hasChanged {
                effects.append(.caller(.mark))
            } else if case .due = report, reader.shown != .loading, let target {
                report = .none
                effects.append(.caller(.reportMissing(target)))
            }
        }
    }

    /// Handles an event after the end: what it has brought along is given back.
    private func refuse(_ event: Event, _ effects: inout Effects) {
        switch event {
        case .updated(let target?, true, _): effects.append(.queue(.release(target.use)))
        case .read(let read, let task, _):
            if read.result.isMissingData, let target = task.target { effects.append(.inLock(.unwatch(target.owner))) }
        default: break
        }
    }

    private mutating func update(
        _ next: GeneratedCode.FragmentTarget?, isOwn: Bool, showsStatus: Bool, _ effects: inout Effects
    ) {
        if target == next {
            if isOwn, let next { effects.append(.queue(.release(next.use))) }
            if showsStatus { showStatus(&effects) }
            return
        }
        if case .watched = hold, isOwn, target?.owner === next?.owner {
            if let target { effects.append(.queue(.release(target.use))) }
        } else {
            part(&effects)
            hold = isOwn ? .retained : .none
        }
        target = next
        reader.targetChanged()
        if showsStatus || frame == .reference { showStatus(&effects) } else { effects.append(.caller(.notify)) }
    }

    /// Gives back what the handle has of its target's operation.
    private func part(_ effects: inout Effects) {
        guard let target else { return }
        switch hold {
        case .none: break
        case .retained: effects.append(.queue(.release(target.use)))
        case .watched: effects += [.inLock(.unwatch(target.owner)), .queue(.release(target.use))]
        }
    }

    private mutating func showStatus(_ effects: inout Effects) {
        if reader.reading != nil { reader.showStatus() }
        effects.append(.caller(.mark))
    }

    /// Takes the result of a read. Its operation is watched already if data is missing.
    private mutating func take(_ read: Read, _ task: ReadTask<Target>, _ publish: Int, _ effects: inout Effects) {
        guard let owner = task.target?.owner else { return }
        let isMissingData = read.result.isMissingData
        guard reader.accept(since: task.moves, at: task.changes) else {
            // Another read may need the same watch.
            if case .watched = hold, target?.owner === owner { return }
            if isMissingData { effects.append(.inLock(.unwatch(owner))) }
            return
        }
        effects.append(.inLock(.subscribe(read.result, replacing: reader.subscription)))
        reader.take(read.result)
        _ = reader.show(
            read.choice.shown, isDifferent: read.isDifferent, publish: publish, arrival: nil,
            read.choice.content(of: read.result))
        if isMissingData {
            hold = .watched
            // A read of another thread that came too late may have ended the watch.
            effects.append(.inLock(.watch(owner)))
            if read.isDifferent { report = .due }
            // A request may have moved while the watch was ended.
            if let target { effects.append(.caller(.confirm(read, target))) }
        } else {
            if case .watched = hold {
                hold = .retained
                effects.append(.inLock(.unwatch(owner)))
            }
            report = .none
        }
    }
}
