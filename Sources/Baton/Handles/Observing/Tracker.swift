/// The handles that one frame has read, and the listener for their changes.
///
/// A handle also notifies of changes that the frame does not show. So a notification only makes the read of the handle
/// *suspect*. Later, outside of publishes, `settle` compares the handle's revision with the recorded revision.
///
/// State: guarded by a lock of its own, a leaf.
final class Tracker: Sendable {
    private struct Entry {
        let read: TrackedRead
        let number: Int
    }

    /// The receiver of two signals: a read is suspect, or the observation has ended.
    private struct Listener {
        let signal: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var entries: [Entry] = []
        /// The positions of the entries by observers, once there are many.
        var positions: [ObjectIdentifier: Int] = [:]
        var suspects: [TrackedRead] = []
        /// The reads after the end of the observation. A handle that was let go lives until they are released.
        var ended: [TrackedRead] = []
        /// The recording of the frame that is drawn, whose tasks may refer to it still.
        var recording: Recording?
        var isReleased = false
        /// The number of the frame among those that have committed mutations; 0 for none.
        var number = 0
        /// The listener; nil while nobody waits.
        var listener: Listener?
        var isOver = false
        /// True once a change has been reported.
        var isTold = false

        func entry(of observers: Observers) -> Entry? {
            if entries.count > 8 { return positions[ObjectIdentifier(observers)].map { entries[$0] } }
            return entries.first { $0.read.observers === observers }
        }

        mutating func add(_ entry: Entry) {
            entries.append(entry)
            if entries.count == 9 {
                for (index, entry) in entries.enumerated() { positions[ObjectIdentifier(entry.read.observers)] = index }
            } else if entries.count > 9 {
                positions[ObjectIdentifier(entry.read.observers)] = entries.count - 1
            }
        }
    }

    private let state = Guarded(State())

    // MARK: - Reading

    /// Notes that the frame has read a handle in a state. A handle that is read twice is noted once.
    func note(_ source: some ReadingSource, _ revision: Int) {
        let observers = source.observers
        let known = state.withLock { $0.entry(of: observers)?.read }
        if let known {
            // The frame shows two states of the handle, so it must be drawn again.
            if known.revision != revision { _ = known.notify() }
            return
        }
        let read = TrackedRead(source, observers, revision, self)
        let number = observers.add(frame: read)
        let isOver = state.withLock { state in
            if !state.isOver { state.add(Entry(read: read, number: number)) }
            return state.isOver
        }
        if isOver {
            observers.remove(number)
            return observers.releaseFrame()
        }
        // The handle may have changed before it had the observer.
        if read.hasChanged { _ = read.notify() }
    }

    /// The reads so far, in order.
    var reads: [TrackedRead] { state.withLock { $0.entries.map(\.read) } }

    /// True if the frame has read the handle of these observers.
    func hasRead(_ observers: Observers) -> Bool { state.withLock { $0.entry(of: observers) != nil } }

    /// Releases the index of the entries, because no read follows. Keeps the recording until the frame is released.
    func endRecording(_ recording: Recording) {
        let isReleased = state.withLock { state in
            state.positions = [:]
            if !state.isReleased { state.recording = recording }
            return state.isReleased
        }
        if isReleased { recording.forget() }
    }

    // MARK: - Notifying

    /// Notes that a handle may have changed.
    func suspect(_ read: TrackedRead) {
        let signal = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isOver { return nil }
            state.suspects.append(read)
            return state.suspects.count == 1 ? state.listener?.signal : nil
        }
        signal?()
    }

    /// Calls `signal` whenever a read is suspect, and at once if one is. Calls `end` when the observation ends, or when
    /// another listener replaces this one. Both must be quick.
    func listen(_ signal: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        let (isSuspect, isOver, last) = state.withLock { state -> (Bool, Bool, Listener?) in
            let last = state.listener
            if !state.isOver { state.listener = Listener(signal: signal, end: end) }
            return (!state.suspects.isEmpty, state.isOver, last)
        }
        last?.end()
        if isSuspect { signal() }
        if isOver { end() }
    }

    /// Compares the suspects. If one of their handles has changed, ends the observation and returns true. Reads the
    /// store, so code of the application may run.
    func settle() -> Bool {
        while let suspects = takeSuspects() {
            // A notification from here on makes its read suspect again.
            for read in suspects { read.absolve() }
            let events = suspects.compactMap(\.event)
            if events.isEmpty { continue }
            state.withLock { if !$0.isOver { $0.isTold = true } }
            let isFirst = end()
            if isFirst { for (event, environment) in events { environment.emit(.delivered(event)) } }
            return isFirst
        }
        return false
    }

    /// Takes the suspects; nil if there are none.
    private func takeSuspects() -> [TrackedRead]? {
        state.withLock { state in
            defer { state.suspects = [] }
            return state.suspects.isEmpty ? nil : state.suspects
        }
    }

    /// The name of the first handle that has changed since the frame has read it; nil if there is none.
    var changedComponent: String? {
        state.withLock { $0.suspects }.first(where: \.hasChanged)?.component
    }

    /// The name of the first handle that was read; nil if nothing is observed.
    var firstComponent: String? { state.withLock { $0.entries.first?.read.component } }

    /// The number of the frame among those that have committed mutations.
    func number(in commits: FrameCommits) -> Int {
        state.withLock { state in
            if state.number == 0 { state.number = commits.nextFrame() }
            return state.number
        }
    }

    /// True after the end of all observation.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// True once a handle has changed, unless the observation was cancelled before.
    var hasChanged: Bool {
        let (isTold, suspects) = state.withLock { ($0.isTold, $0.suspects) }
        return isTold || suspects.contains(where: \.hasChanged)
    }

    /// Ends the observation; returns false if it had ended before.
    @discardableResult
    func end() -> Bool {
        let (entries, isFirst, listener) = state.withLock { state -> ([Entry], Bool, Listener?) in
            let old = (state.entries, !state.isOver, state.listener)
            state.isOver = true
            state.ended += state.entries.map(\.read)
            (state.entries, state.suspects, state.listener, state.positions) = ([], [], nil, [:])
            return old
        }
        for entry in entries { entry.read.observers.remove(entry.number) }
        listener?.end()
        return isFirst
    }

    /// Ends the observation and releases the handles, because the frame is shown no more.
    func release() {
        end()
        let (ended, recording) = state.withLock { state in
            defer { (state.ended, state.recording, state.isReleased) = ([], nil, true) }
            return (state.ended, state.recording)
        }
        recording?.forget()
        for read in ended { read.observers.releaseFrame() }
    }
}
