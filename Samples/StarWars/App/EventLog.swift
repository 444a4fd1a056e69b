import Baton
import Synchronization
import TerminalRenderer

/// The facts of the environment's log events about the last publishes, for the status line and the window of publishes.
///
/// Publishes report records and notified components; each delivery names the publish that caused it. The screen tells
/// which components were told and which were drawn. A lock guards the state, because events arrive on any thread.
final class EventLog: Sendable {
    /// A publish.
    struct Publish: Hashable, Sendable {
        let number: Int
        let source: String
        let recordsChanged: Int
        let componentsNotified: Int
        /// The number of deliveries of this publish.
        var deliveries = 0
        /// The number of draws of components because of this publish.
        var componentsRendered = 0
        /// The number of notified components: those that read changed data, and those that waited for the response.
        var componentsTold: Int { max(componentsNotified, deliveries) }
        /// True if the publish has changed a record, or told a component.
        var isNews: Bool { recordsChanged > 0 || componentsTold > 0 }

        /// The source as a person reads it: `film detail` for `FilmDetailQuery`.
        var words: String { source.split(separator: " ").map { $0.operationInWords }.joined(separator: " ") }
    }

    private struct State {
        /// The last publishes, the newest last.
        var publishes: [Publish] = []
        /// The deliveries and draws of publishes that have not been reported, by publish. A delivery may be reported
        /// before its publish.
        var early: [Int: (deliveries: Int, draws: Int)] = [:]
        /// The publishes that were delivered since the screen has told of a component.
        var delivered: Set<Int> = []
        /// The publishes of which a component was told since it was drawn, by the number of the component.
        var undrawn: [Int: Set<Int>] = [:]

        /// Changes the counts of a publish.
        mutating func count(_ number: Int, _ change: (inout (deliveries: Int, draws: Int)) -> Void) {
            if let place = publishes.lastIndex(where: { $0.number == number }) {
                var counts = (deliveries: publishes[place].deliveries, draws: publishes[place].componentsRendered)
                change(&counts)
                (publishes[place].deliveries, publishes[place].componentsRendered) = counts
            } else if number > publishes.last?.number ?? 0 {
                change(&early[number, default: (0, 0)])
            }
        }
        var mutationsStarted = 0
        /// The mutations that were begun, of which some may not have been sent yet.
        var mutationsExpected = 0
        var mutationsEnded = 0
        /// The errors of queries whose last fetch has failed, by their names.
        var fetchErrors: [String: RelayError] = [:]
        var changed: (@Sendable () -> Void)?
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The number of publishes that are kept.
    private static let kept = 100

    private let state = Mutex(State())

    /// Calls a closure after every event that changes the status line.
    func onChange(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

    /// Handles an event; the environment calls it as its log.
    func record(_ event: LogEvent) {
        let resumed = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            if event.endsMutation { state.mutationsEnded += 1 }
            switch event {
            // The event of a review that was written here changes nothing any more.
            case .published(let publish)
            where publish.recordsChanged == 0 && Self.name(publish.source).hasSuffix("Subscription"): break
            case .published(let publish):
                let early = state.early[publish.number] ?? (0, 0)
                state.publishes.append(
                    Publish(
                        number: publish.number,
                        source: Self.name(publish.source),
                        recordsChanged: publish.recordsChanged,
                        componentsNotified: publish.componentsNotified,
                        deliveries: early.deliveries,
                        componentsRendered: early.draws
                    ))
                if state.publishes.count > Self.kept { state.publishes.removeFirst() }
                state.early = state.early.filter { $0.key > publish.number }
            case .delivered(let delivery):
                guard let number = delivery.publish else { break }
                state.count(number) { $0.deliveries += 1 }
                state.delivered.insert(number)
            case .fetchFailed(let fetch, let error) where fetch.kind == .query:
                state.fetchErrors[fetch.operationName] = error
            case .fetchFinished(let fetch, _): state.fetchErrors[fetch.operationName] = nil
            case .fetchStarted(let fetch):
                guard fetch.kind == .mutation else { break }
                state.mutationsStarted += 1
                let due = state.waiters.filter { $0.count <= state.mutationsStarted }
                state.waiters.removeAll { $0.count <= state.mutationsStarted }
                return due.map(\.continuation)
            default:
                break
            }
            return []
        }
        for continuation in resumed { continuation.resume() }
        state.withLock(\.changed)?()
    }

    /// Handles what the screen says of a component. A delivery comes just before the component is told of it, or before
    /// it is drawn without that.
    func record(_ drawing: Screen.Drawing) {
        state.withLock { state in
            switch drawing {
            case .told(let component):
                state.undrawn[component, default: []].formUnion(state.delivered)
            case .drawn(let component):
                let causes = state.undrawn.removeValue(forKey: component) ?? []
                for number in causes.union(state.delivered) { state.count(number) { $0.draws += 1 } }
            }
            state.delivered = []
            guard state.undrawn.count > 1_000, let first = state.publishes.first?.number else { return }
            state.undrawn = state.undrawn.filter { _, causes in causes.contains { $0 >= first } }
        }
    }

    /// The number of mutations that were answered, have failed or were cancelled.
    var mutationsEnded: Int { state.withLock(\.mutationsEnded) }

    /// The error of a query whose last fetch has failed; nil if there is none.
    var fetchError: RelayError? { state.withLock { $0.fetchErrors.min { $0.key < $1.key }?.value } }

    /// Notes that a mutation is about to be sent.
    func expectMutation() { state.withLock { $0.mutationsExpected += 1 } }

    /// Waits until every mutation that was begun was sent.
    func waitForMutations() async { await waitForMutations(state.withLock(\.mutationsExpected)) }

    /// The last publish; nil before the first one.
    var publish: Publish? { state.withLock(\.publishes.last) }

    /// The last publishes, the newest first.
    var publishes: [Publish] { state.withLock { $0.publishes.reversed() } }

    /// What a publish has done, in several forms, the longest first.
    ///
    /// - Parameter isSettled: whether everything that was told and is on the screen has been drawn.
    static func texts(_ publish: Publish, isSettled: Bool) -> [String] {
        let (changed, told) = (publish.recordsChanged, publish.componentsTold)
        // Zeros would be misleading if a screen shows an optimistic change or older data.
        if changed == 0, told == 0 { return ["nothing new: \(publish.words)", "nothing new"] }
        // What is told and not on the screen is not drawn. Until the number has come to rest, nobody knows how many
        // are.
        let isKnown = isSettled || publish.componentsRendered >= told
        let drawn = isKnown ? ", \(publish.componentsRendered) drawn" : ""
        let long =
            "\(count(changed, "record")) changed"
            + (told == 0 ? "" : ", \(count(told, "component")) told\(drawn)")
        let short = "\(changed) changed" + (told == 0 ? "" : ", \(told) told\(drawn)")
        return ["\(long): \(publish.words)", long, short]
    }

    /// Waits until this number of mutations was sent.
    func waitForMutations(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.mutationsStarted >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// The cause of an error in a few words.
    static func reason(_ error: RelayError) -> String {
        if error.code == .transport, let cause = error.underlying { "\(cause)" } else { "\(error)" }
    }

    private static func name(_ source: LogEvent.Publish.Source) -> String {
        switch source {
        case .response(let operationName, _): operationName
        case .update: "local update"
        case .optimistic(let operationName): "optimistic \(operationName ?? "update")"
        case .revert(let operationName): "taken back by \(operationName ?? "update")"
        case .reset: "reset"
        case .restore: "restored snapshot"
        case .invalidation: "invalidation"
        case .missingFieldHandlers: "missing-field handlers"
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension LogEvent {
    /// True if a mutation was answered, has failed or was cancelled.
    fileprivate var endsMutation: Bool {
        switch self {
        case .fetchFinished(let fetch, _), .fetchFailed(let fetch, _), .fetchCancelled(let fetch):
            fetch.kind == .mutation
        default: false
        }
    }
}

extension Substring {
    /// The name of an operation as words, without its kind. Other words stay.
    fileprivate var operationInWords: String {
        guard let kind = ["Query", "Mutation", "Subscription"].first(where: { hasSuffix($0) }), self != kind else {
            return String(self)
        }
        let words = dropLast(kind.count).reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
        return String(words.drop { $0 == " " })
    }
}
