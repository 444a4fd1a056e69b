/// The part of a fragment handle that the store and observers refer to. It owns a `FragmentMachine` and performs its
/// effects.
///
/// The class does not depend on the type of the fragment's data except in calls of `read`. Generic code asks the
/// runtime for metadata at every step, which was a third of a handle's cost (benchmark `fragments.vs-foundation`).
///
/// State: that of `shell`. Nothing is read before the first `get`.
@usableFromInline
final class FragmentCore: MachineOwner, StoreSubscriber, RequestWatcher, ReadingSource {
    typealias Decisions = FragmentMachine

    private let count = ChangeCount()
    private let shell: Shell<FragmentMachine>
    let environment: RelayEnvironment
    private let fragment: any GraphQLFragment.Type
    private let lateObservers = LateObservers()

    // The initializer is inlined so that references to the environment are counted once. Each count is slow, because
    // the environment is also referenced weakly.
    @inline(__always)
    init(
        _ fragment: any GraphQLFragment.Type, _ target: GeneratedCode.FragmentTarget?, in environment: RelayEnvironment
    ) {
        let isOwn = Self.retain(target, in: environment)
        self.fragment = fragment
        self.environment = environment
        shell = Shell(FragmentMachine(target, isOwn: isOwn))
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
        if shell.look({ $0.isClosed }) { observers.close() }
        return observers
    }

    var component: String { fragment.artifact.name }
    var subject: DataID? {
        guard let target else { return nil }
        let hold = NumberHold(environment.store.names)
        defer { withExtendedLifetime(hold) {} }
        return environment.store.names.dataID(of: target.record)
    }

    var target: GeneratedCode.FragmentTarget? { shell.look { $0.target } }

    var isMissingData: Bool {
        _ = reading()
        return shell.look { $0.reader.result?.isMissingData == true }
    }

    /// Returns the newest reading.
    func reading() -> Reading {
        var begin: Int?
        return Retry.whileOthersMove {
            let changes = count.changes
            switch shell.look({ $0.look(at: changes, since: begin) }) {
            case .shown(let reading): return reading
            case .unknown(let task):
                begin = begin ?? changes
                shell.send(read(task), for: self)
                return nil
            }
        }
    }

    /// Returns the content of the newest reading.
    @usableFromInline
    func content() -> Reading.Content {
        (Recording.current?.read(self) ?? reading()).content
    }

    /// Notes that the frame that is being drawn reads a property of the handle.
    func noteRead() { Recording.note(self) }

    /// Notes that the frame that is being drawn reads the reference.
    func noteReference() {
        guard let recording = Recording.current else { return }
        shell.send(.referenceShown, for: self)
        _ = recording.read(self)
    }

    /// Changes the target. With `showsStatus` the handle's status changes in the same step.
    func update(_ target: GeneratedCode.FragmentTarget?, showsStatus: Bool = false) {
        let isOwn = Self.retain(target, in: environment)
        shell.send(.updated(target, isOwn: isOwn, showsStatus: showsStatus), for: self)
    }

    func storeDidChange(at epoch: Epoch) {
        mark(at: epoch)
        tell(at: epoch)
    }

    func mark(at epoch: Epoch) { count.mark(at: epoch) }
    func tell(at epoch: Epoch) { lateObservers.present?.notify() }

    func requestDidMove() { mark() }

    /// Counts a change of the handle's status, which leaves the data as it is. Observers are notified.
    func statusDidChange() { shell.send(.statusChanged, for: self) }

    private func mark() {
        count.mark()
        lateObservers.present?.notify()
    }

    /// Ends the core, at once or with the last frame that shows it.
    func letGo(_ closeLoads: (@Sendable () -> Void)?) {
        guard let observers = lateObservers.known, observers.isInFrame else {
            closeLoads?()
            return close()
        }
        observers.endWithFrames { [self] in
            closeLoads?()
            close()
        }
    }

    func close() {
        shell.send(.closed, for: self)
        // The observers are closed after the state, so that observers made from now on are closed too.
        lateObservers.present?.close()
    }

    // MARK: - Effects

    func performInLock(_ effect: FragmentMachine.InLock) -> FragmentMachine.Event? {
        switch effect {
        case .subscribe(let result, let former):
            let (id, hasChanged) = environment.store.subscribe(
                quietly: self, to: result.dependencies, replacing: former)
            return .subscribed(id, hasChanged: hasChanged)
        case .clear(let id): environment.store.clear(id)
        case .unsubscribe(let id): environment.store.unsubscribe(id)
        case .watch(let operation): environment.lastFetches.watch(operation, self)
        case .unwatch(let operation): environment.lastFetches.unwatch(operation, self)
        }
        return nil
    }

    func answer(_ effect: FragmentMachine.Caller) -> FragmentMachine.Event? {
        switch effect {
        case .confirm(let read, let target):
            guard let place = environment.store.bind(target, fragment.artifact) else { break }
            if read.choice.shown != choice(for: place, read.result).shown { mark() }
        case .mark: mark()
        case .notify: lateObservers.present?.notify()
        case .reportMissing(let target):
            guard let place = environment.store.bind(target, fragment.artifact) else { break }
            environment.reportMissing(component, place.owner, place.selections, at: place.record)
        case .discard: break
        }
        return nil
    }

    func perform(_ effect: FragmentMachine.Queued) {
        switch effect {
        case .release(let operation): environment.operations.release(operation)
        }
    }

    // MARK: - Reading

    private func read(_ task: ReadTask<FragmentMachine.Target>) -> FragmentMachine.Event {
        // Without a reference there is no data, and that is no failure.
        guard let target = task.target else { return .refused(.data(nil), task) }
        guard let place = environment.store.bind(target, fragment.artifact) else {
            return .refused(.failure(.foreignReference(fragment: component)), task)
        }
        let publish = count.lastPublish
        let read = HandleRead(at: place, in: environment.store, after: task.last)
        if let problems = read.result.problems { environment.report(problems, of: place.owner) }
        if read.result.isMissingData { environment.lastFetches.watch(place.owner, self) }
        let choice = choice(for: place, read.result)
        return .read(
            FragmentMachine.Read(result: read.result, isDifferent: read.isDifferent, choice: choice), task,
            publish: publish)
    }

    /// Decides what to show. While data is missing, a request may be bringing it, or the last request may have failed.
    private func choice(for place: borrowing BoundFragment, _ result: RowResult) -> FragmentMachine.Choice {
        guard result.isMissingData else { return .data }
        let owner = place.owner
        if environment.requests[owner] != nil { return .loading }
        if environment.store.needsSuspendedFile(place.selections.plan, at: place.record) {
            environment.store.whenFileIsOpen(self) { [weak self] in self?.mark() }
            return .loading
        }
        if environment.store.isArriving(at: place.record, place.selections) { return .loading }
        if result.row == nil, let failure = environment.lastFetches.failure(of: owner) { return .failure(failure) }
        // What went with a reset is awaited, until the operation is fetched again.
        return environment.operations.isEmptied(owner) ? .loading : .data
    }
}
