/// The part of a plural fragment handle that observers refer to. It has a core for each reference, and the reading of
/// all references.
///
/// State: guarded by a lock of its own. The cores are read and changed outside it.
final class PluralFragmentCore: HandleObserver, ReadingSource, Closable {
    private struct State {
        var cores: [FragmentCore] = []
        var combined = CombinedReading()
        var isClosed = false
    }

    let environment: RelayEnvironment
    let observers = Observers()
    private let fragment: any GraphQLFragment.Type
    private let state = Guarded(State(), .handle)

    init(_ fragment: any GraphQLFragment.Type, in environment: RelayEnvironment) {
        self.fragment = fragment
        self.environment = environment
    }

    var component: String { fragment.artifact.name }
    var targets: [GeneratedCode.FragmentTarget] { state.withLock { $0.cores }.compactMap(\.target) }
    var isMissingData: Bool { state.withLock { $0.cores }.contains(where: \.isMissingData) }

    /// Changes the references. The cores of references that remain are kept.
    func update(_ targets: [GeneratedCode.FragmentTarget]) {
        let before = state.withLock { $0.cores }
        let known = before.map(\.target)
        if known == targets { return }
        var unused: [GeneratedCode.FragmentTarget: [FragmentCore]] = [:]
        for (core, target) in zip(before, known) { if let target { unused[target, default: []].append(core) } }
        let next = targets.map { target in
            if let kept = unused[target]?.popLast() { return kept }
            let core = FragmentCore(fragment, target, in: environment)
            core.observers.add(self)
            return core
        }
        let isUsed = state.withLock { state in
            guard !state.isClosed, state.cores.elementsEqual(before, by: ===) else { return false }
            state.cores = next
            state.combined.forget()
            return true
        }
        let kept = Set(before.map(ObjectIdentifier.init))
        guard isUsed else {
            // The handle has ended, or another thread has changed the references meanwhile.
            for core in next where !kept.contains(ObjectIdentifier(core)) { core.close() }
            if state.withLock({ !$0.isClosed }) { update(targets) }
            return
        }
        for core in unused.values.joined() { core.close() }
        observers.notify()
    }

    func close() {
        let cores = state.withLock { state in
            state.isClosed = true
            return state.cores
        }
        observers.close()
        for core in cores { core.close() }
    }

    // MARK: - Changes of a part

    func notify() -> Bool {
        observers.notify()
        return true
    }

    func end() {}

    // MARK: - Reading

    /// Returns the newest reading of all parts. A reading is made only if one of the parts has changed.
    func reading() -> Reading {
        Retry.whileOthersMove {
            let cores = state.withLock { $0.cores }
            let parts = cores.map { $0.reading() }
            let (reading, _) = state.withLock { state -> (Reading?, Reading?) in
                guard state.cores.elementsEqual(cores, by: ===) else { return (nil, nil) }
                return state.combined.combine(parts, Self.content)
            }
            return reading
        }
    }

    /// Combines the states of the parts. If one part is loading, the whole is loading; the first failure is the failure
    /// of the whole.
    private static func content(of parts: [Reading]) -> Reading.Content {
        var rows: [GeneratedCode.Row?] = []
        rows.reserveCapacity(parts.count)
        var failure: RelayError?
        for part in parts {
            switch part.content {
            case .loading: return .loading
            case .failure(let error): failure = failure ?? error
            case .data(let row): rows.append(row)
            case .rows(let inner): rows += inner
            }
        }
        return failure.map { .failure($0) } ?? .rows(rows)
    }
}
