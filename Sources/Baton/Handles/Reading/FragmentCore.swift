/// The part of a fragment handle that the store and observers refer to. It is the shell of a `FragmentMachine`.
///
/// The class does not depend on the type of the fragment's data except in calls of `read`. Generic code asks the
/// runtime for metadata at every step, which was a third of a handle's cost (benchmark `fragments.vs-foundation`).
///
/// State: that of `loop`. Nothing is read before the first `get`.
@usableFromInline
final class FragmentCore: ReaderCore, RequestWatcher {
    private struct State {
        /// The target; nil if there is nothing to read.
        var target: GeneratedCode.FragmentTarget?
        var machine: FragmentMachine
        var reader = Reader()
        /// True if data is missing and the log does not know it yet. While a request may bring the data, nothing is
        /// missed.
        var owesReport = false
        /// True if a frame has read the reference, so that another one changes what the frame shows even if the data of
        /// both is equal.
        var showsReference = false
    }

    let environment: RelayEnvironment
    private let fragment: any GraphQLFragment.Type
    private let lateObservers = LateObservers()
    private let loop: ReaderLoop<State>

    // The initializer is inlined so that references to the environment are counted once. Each count is slow, because
    // the environment is also referenced weakly.
    @inline(__always)
    init(
        _ fragment: any GraphQLFragment.Type, _ target: GeneratedCode.FragmentTarget?, in environment: RelayEnvironment
    ) {
        let isOwn = Self.retain(target, in: environment)
        self.fragment = fragment
        self.environment = environment
        loop = ReaderLoop(State(target: target, machine: FragmentMachine(isRetaining: isOwn)))
    }

    /// Retains the operation of a target; returns false if there is none, or if it belongs to another environment.
    @inline(__always)
    private static func retain(_ target: GeneratedCode.FragmentTarget?, in environment: RelayEnvironment) -> Bool {
        guard let target, target.use.home === environment.store.home else { return false }
        environment.operations.retain(target.use)
        return true
    }

    /// The observers. They are closed from the beginning if the handle was deinitialized before.
    var observers: Observers {
        let observers = lateObservers.observers
        if loop.withLock({ $0.machine.isClosed }) { observers.close() }
        return observers
    }

    var component: String { fragment.artifact.name }

    var target: GeneratedCode.FragmentTarget? { loop.withLock { $0.target } }

    var isMissingData: Bool {
        _ = reading()
        return loop.withLock { $0.reader.outcome?.isMissingData == true }
    }

    /// Returns the newest reading; nil if nothing was read before the handle was deinitialized.
    func reading() -> Reading? { loop.newest(for: self) }

    /// Returns the content of the newest reading.
    @usableFromInline
    func content() -> Reading.Content {
        guard let recording = Recording.current else { return reading()?.content ?? .loading }
        return recording.read(TrackedFragment(core: self)).content
    }

    /// Notes that the frame that is being drawn reads a property of the handle.
    func noteRead() { Recording.note(TrackedFragment(core: self)) }

    /// Notes that the frame that is being drawn reads the reference.
    func noteReference() {
        guard let recording = Recording.current else { return }
        loop.withLock { $0.showsReference = true }
        _ = recording.read(TrackedFragment(core: self))
    }

    /// Changes the target. With `showsStatus` the handle's status changes in the same step.
    func update(_ target: GeneratedCode.FragmentTarget?, showsStatus: Bool = false) {
        let isOwn = Self.retain(target, in: environment)
        let (isChanged, isShown, parting, old) = loop.withLock {
            state -> (Bool, Bool, FragmentMachine.Parting, GeneratedCode.FragmentTarget?) in
            guard state.target != target else {
                return (false, false, FragmentMachine.Parting(releases: isOwn), target)
            }
            let wasClosed = state.machine.isClosed
            let old = state.target
            let parting = state.machine.targetChanged(isOwn: isOwn, isSameOwner: old?.owner === target?.owner)
            if parting.unwatches { unwatch(old) }
            if wasClosed { return (false, false, parting, target) }
            state.target = target
            return (true, state.showsReference, parting, old)
        }
        part(from: old, parting)
        if showsStatus || isShown {
            statusDidChange()
        } else if isChanged {
            lateObservers.present?.notify()
        }
    }

    func storeDidChange(at epoch: Epoch) {
        loop.mark(at: epoch)
        lateObservers.present?.notify()
    }

    func requestDidMove() { mark() }

    /// Counts a change of the handle's status, which leaves the data as it is. Observers are notified.
    func statusDidChange() {
        let old = loop.withLock { state -> Reading? in
            guard let reading = state.reader.reading else { return nil }
            state.reader.show(reading.content, publish: nil)
            return reading
        }
        withExtendedLifetime(old) { mark() }
    }

    func mark() {
        loop.mark()
        lateObservers.present?.notify()
    }

    func close() {
        // The outcome is released outside the lock, because it may hold the last reference to an object of the
        // application.
        let (parting, target, _) = loop.withLock {
            state -> (FragmentMachine.Parting, GeneratedCode.FragmentTarget?, ReadOutcome?) in
            let outcome = state.reader.outcome
            state.reader.end(in: environment.store)
            let parting = state.machine.closed()
            if parting.unwatches { unwatch(state.target) }
            return (parting, state.target, outcome)
        }
        // The observers are closed after the state, so that observers made from now on are closed too.
        lateObservers.present?.close()
        part(from: target, parting)
    }

    private func part(from target: GeneratedCode.FragmentTarget?, _ parting: FragmentMachine.Parting) {
        guard parting.releases, let target else { return }
        environment.operations.release(target.use)
    }

    /// Ends the watch of a target's requests. The lock is held, so that no read watches them meanwhile.
    private func unwatch(_ target: GeneratedCode.FragmentTarget?) {
        if let target { environment.lastFetches.unwatch(target.owner, self) }
    }

    // MARK: - Reading

    func next(at changes: Int) -> ReaderStep<GeneratedCode.FragmentTarget?> {
        loop.withLock { state in
            guard state.machine.reader.mustRead(at: changes) else { return .shown(state.reader.reading) }
            return .read(
                ReaderTask(
                    target: state.target, last: state.reader.outcome, moves: state.machine.reader.moves,
                    changes: changes)
            )
        }
    }

    func bind(_ target: GeneratedCode.FragmentTarget?) -> BoundFragment? {
        target.flatMap { environment.store.bind($0, fragment.artifact) }
    }

    func take(_ task: ReaderTask<GeneratedCode.FragmentTarget?>, at place: BoundFragment) -> TakenRead {
        let publish = loop.lastPublish
        let read = HandleRead(at: place, in: environment.store, after: task.last)
        let isMissingData = read.outcome.isMissingData
        if isMissingData { environment.lastFetches.watch(place.owner, self) }
        let choice = choice(for: place.owner, read.outcome)
        // The old reading is released outside the lock, because it may hold the last reference to an object of the
        // application.
        let (reading, hasChanged, reports, _) = loop.withLock { state -> (Reading?, Bool, Bool, Reading?) in
            guard state.machine.read(since: task.moves, at: task.changes) else {
                let isSameOwner = state.target?.owner === task.target?.owner
                let unwatches = state.machine.dropped(isMissingData: isMissingData, isSameOwner: isSameOwner)
                if unwatches { unwatch(task.target) }
                return (nil, false, false, nil)
            }
            let old = state.reader.reading
            let hasChanged = state.reader.install(read.outcome, in: environment.store, for: self)
            let (change, unwatches) = state.machine.took(
                isMissingData: isMissingData, shown: choice.shown, isDifferent: read.isDifferent, publish: publish)
            // A read of another thread that came too late may have ended the watch.
            if isMissingData { environment.lastFetches.watch(place.owner, self) }
            if unwatches { unwatch(task.target) }
            if let change { state.reader.show(choice.content(of: read.outcome), publish: change.publish) }
            state.owesReport = isMissingData && (state.owesReport || read.isDifferent)
            let reports = state.owesReport && choice.shown != .loading && !hasChanged
            if reports { state.owesReport = false }
            return (state.reader.reading, hasChanged, reports, old)
        }
        // A request may have moved while the watch was ended.
        let isOld = reading != nil && choice.shown != self.choice(for: place.owner, read.outcome).shown
        return TakenRead(read: read, reading: reading, hasChanged: hasChanged || isOld, reportsMissingData: reports)
    }

    func refuse(_ task: ReaderTask<GeneratedCode.FragmentTarget?>) {
        _ = loop.withLock { state -> (Reading?, ReadOutcome?) in
            guard state.machine.refused(since: task.moves, at: task.changes) else { return (nil, nil) }
            let old = (state.reader.reading, state.reader.outcome)
            state.reader.forget(in: environment.store)
            // Without a reference there is no data, and that is no failure.
            let content: Reading.Content =
                task.target == nil ? .data(nil) : .failure(.foreignReference(fragment: component))
            state.reader.show(content, publish: nil)
            return old
        }
    }

    /// The choice between showing the data and showing a failure or the loading state.
    private struct Choice {
        let shown: ReaderMachine.Shown
        var error: RelayError?

        func content(of outcome: ReadOutcome) -> Reading.Content {
            switch shown {
            case .loading: .loading
            case .failure: .failure(error ?? .noResponse)
            case .null, .data: outcome.content
            }
        }
    }

    /// Decides what to show. While data is missing, a request may be bringing it, or the last request may have failed.
    private func choice(for owner: BoundOperation, _ outcome: ReadOutcome) -> Choice {
        guard outcome.isMissingData else { return Choice(shown: .data) }
        if environment.requests[owner] != nil { return Choice(shown: .loading) }
        if outcome.row == nil, let failure = environment.lastFetches.failure(of: owner) {
            return Choice(shown: .failure(failure.number), error: failure.error)
        }
        // What went with a reset is awaited, until the operation is fetched again.
        if environment.operations.isEmptied(owner) { return Choice(shown: .loading) }
        return Choice(shown: .data)
    }
}

/// A view of a handle's core for a frame that is being drawn.
private struct TrackedFragment: ReadingSource {
    let core: FragmentCore

    var environment: RelayEnvironment { core.environment }
    var component: String { core.component }
    var observers: Observers { core.observers }

    func reading() -> Reading { core.reading() ?? .nothing }
}
