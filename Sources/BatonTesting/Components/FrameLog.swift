import Baton

/// What was drawn in an environment, and what each frame that is shown has read.
///
/// State: guarded by a lock of its own, a leaf. The store is read outside of it.
final class FrameLog: Sendable {
    /// A frame that is shown, with the values that it had.
    private struct Shown: Sendable {
        let frame: DrawnFrame
        let name: String?
        let values: [DataID: [StorageKey: StoreRecords.Content]]
    }

    private struct State {
        var shown: [Int: Shown] = [:]
        var drawn: [DrawnComponent] = []
        /// The frames whose next one is no draw of a component, but a way to the components inside.
        var passages: Set<Int> = []
        /// The number of the last frame.
        var last = 0
    }

    private let state = Guarded(State())
    private let number = Guarded(0)
    private weak let environment: RelayEnvironment?

    init(_ environment: RelayEnvironment) {
        self.environment = environment
        let added = environment.frameWatch.add { [weak self] in self?.note($0) }
        number.withLock { $0 = added }
    }

    deinit { environment?.frameWatch.remove(number.withLock(\.self)) }

    /// The frames that are shown. They are looked at outside of the lock, because a look may end them.
    private var shown: [Int: Shown] { state.withLock { $0.shown } }

    /// The number of the last frame.
    var lastFrame: Int { state.withLock(\.last) }

    /// Returns what was drawn, and forgets it.
    func take() -> [DrawnComponent] {
        state.withLock { state in
            defer { state.drawn = [] }
            return state.drawn
        }
    }

    /// Notes that the frame after this one is drawn for the sake of the components inside it.
    func passThrough(_ frame: Int) { state.withLock { state in _ = state.passages.insert(frame) } }

    /// The frames that are shown and were drawn after a number.
    func frames(after number: Int) -> Set<Int> {
        Set(shown.filter { $0.key > number && !$0.value.frame.isGone }.keys)
    }

    /// Those of some frames that are shown still.
    func shown(of frames: Set<Int>) -> Set<Int> {
        let shown = shown
        return frames.filter { shown[$0].map { !$0.frame.isGone } ?? false }
    }

    /// True if one of some frames is out of date.
    func hasStale(of frames: Set<Int>) -> Bool {
        let shown = shown
        return frames.contains { shown[$0]?.frame.isStale ?? false }
    }

    // MARK: - Noting

    private func note(_ frame: DrawnFrame) {
        guard let records = environment?.records else { return }
        var values: [DataID: [StorageKey: StoreRecords.Content]] = [:]
        for read in frame.reads {
            for (id, keys) in read.fields {
                guard let fields = records[id]?.fields else { continue }
                values[id, default: [:]].merge(fields.filter { keys.contains($0.key) }) { $1 }
            }
        }
        let next = Shown(frame: frame, name: frame.label ?? frame.reads.first?.name, values: values)
        let known = shown
        let last = frame.previous.map { known[$0] } ?? Self.predecessor(of: next, in: known)
        let causes = last.map { Self.causes(of: frame, after: $0, records) } ?? [.first]
        let gone = known.filter { $0.value.frame.isGone }.map(\.key)
        state.withLock { state in
            for number in gone { state.shown[number] = nil }
            if let number = last?.frame.number { state.shown[number] = nil }
            state.shown[frame.number] = next
            state.last = max(state.last, frame.number)
            let isPassage = frame.previous.map { state.passages.remove($0) != nil } ?? false
            if let name = next.name, !isPassage { state.drawn.append(DrawnComponent(name: name, causes: causes)) }
        }
    }

    /// The frame in whose place one is shown that names no other: one that reads the same and is out of date.
    private static func predecessor(of next: Shown, in known: [Int: Shown]) -> Shown? {
        guard let name = next.name, next.frame.previous == nil else { return nil }
        let names = next.frame.reads.map(\.name)
        return known.values.filter { $0.name == name && $0.frame.reads.map(\.name) == names && $0.frame.isStale }
            .max { $0.frame.number < $1.frame.number }
    }

    private static func causes(
        of frame: DrawnFrame, after last: Shown, _ records: StoreRecords
    ) -> [DrawnComponent.Cause] {
        var causes: [DrawnComponent.Cause] = frame.hasOtherInput ? [.input] : []
        var changed: Set<DataID> = []
        let keys = last.frame.reads.reduce(into: [DataID: Set<StorageKey>]()) { keys, read in
            keys.merge(read.fields) { $0.union($1) }
        }
        for (id, keys) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let old = last.values[id]
            guard let fields = records[id]?.fields else {
                if old != nil { causes.append(.gone(id)) }
                if old != nil { changed.insert(id) }
                continue
            }
            for key in keys.sorted(by: { $0.rawValue < $1.rawValue }) where old?[key] != fields[key] {
                causes.append(.field(of: id, key, old: old?[key].text ?? "missing", new: fields[key].text))
                changed.insert(id)
            }
        }
        for read in last.frame.reads {
            guard let now = frame.reads.first(where: { $0.name == read.name }) else { continue }
            if now.state != read.state {
                causes.append(.state(of: read.name, old: read.state, new: now.state))
            } else if now.handle == read.handle, now.revision != read.revision,
                changed.isDisjoint(with: read.fields.keys)
            {
                causes.append(.status(of: read.name))
            }
        }
        return causes.isEmpty ? [.nothing] : causes
    }
}

extension DrawnFrame.Read {
    /// The name of the operation or fragment, with the record of a fragment.
    var name: String { subject.map { "\(component) of \($0)" } ?? component }
}

extension StoreRecords.Content? {
    fileprivate var text: String {
        switch self {
        case .value(let value): value.text
        case .link(let id): "\(id)"
        case .links(let ids): "[" + ids.map { $0.map { "\($0)" } ?? "null" }.joined(separator: ", ") + "]"
        case .lists(let lists): "[" + lists.map { Optional($0).text }.joined(separator: ", ") + "]"
        case nil: "missing"
        }
    }
}
