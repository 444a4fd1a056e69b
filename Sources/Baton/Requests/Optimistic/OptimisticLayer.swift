import Synchronization

/// A change of the store that is shown until it is reverted; see ``RelayEnvironment/applyUpdate(file:line:_:)``.
///
/// The change is reverted when this object is deinitialized, so the object must be kept. An object that is let go
/// before anybody has read the store since is a mistake, which is reported to the log.
public final class OptimisticLayer: Sendable {
    let environment: RelayEnvironment
    let layer: LayerID
    /// The file and the line that have made the change.
    private let place: (file: StaticString, line: UInt)
    /// What shows whether the store was read since.
    private let mark: UnseenLayer.Mark
    private let startTime: Duration
    /// True once the owner has used the object.
    private let isUsed = Atomic(false)

    init(
        _ layer: LayerID, in environment: RelayEnvironment, at place: (file: StaticString, line: UInt),
        _ mark: UnseenLayer.Mark
    ) {
        self.layer = layer
        self.environment = environment
        self.place = place
        self.mark = mark
        startTime = environment.now()
    }

    deinit {
        // A change that nobody happened to read is kept for some time, by whoever shows it.
        let isLost =
            !isUsed.load(ordering: .relaxed) && environment.store.unseenLayer.isUnseen(mark)
            && environment.now() - startTime < .milliseconds(1)
        environment.drop(layer, of: nil)
        if isLost { environment.log.report(.changeLetGo, at: "\(place.file):\(place.line)") }
    }

    /// Reverts the change and notifies every handle that reads a field which changes by that. Does nothing if the
    /// change was reverted before.
    public func revert() {
        noteUse()
        environment.drop(layer, of: nil)
    }

    /// Replaces the change by another one in one publish; does nothing if the change was reverted.
    public func replace(with body: @escaping @Sendable (RecordSourceProxy) throws -> Void) {
        noteUse()
        environment.replace(layer, with: body)
    }

    /// Notes that the owner has used the object.
    func noteUse() { isUsed.store(true, ordering: .relaxed) }
}
