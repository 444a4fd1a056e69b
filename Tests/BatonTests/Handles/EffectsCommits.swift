import RandomCases

@testable import Baton

/// A value that comes later.
final class Later<Value: Sendable>: Sendable {
    private let state = Guarded<Value?>(nil)

    var value: Value? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension Task where Success == Void, Failure == Never {
    /// Starts a task that has come to its first wait when this function returns, where the system can do that.
    static func begun(_ body: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return .immediate { await body() } }
        return Task { await body() }
    }
}

/// The commits of the two mutation handles of an `EffectsModel`, and in which order they are sent and end.
final class EffectsCommits {
    typealias Mutation = Films.SetFavouriteMutation

    struct Commit {
        let number: Int
        let handle: Int
        let id: String
        let favourite: Bool
        let isSerial: Bool
        let layer: Int?
        let outcome: Later<QueryResult<Mutation.Data>>
        let task: Task<Void, Never>

        var title: String { #"SetFavourite{"favourite":\#(favourite),"id":"\#(id)"}"# }
    }

    private(set) var handles: [MutationHandle<Mutation>]
    /// The commits without an outcome, in the order in which they began.
    private(set) var open: [Commit] = []
    private var last = 0
    /// The outcome that each handle must show.
    private var shown: [Int: (number: Int, result: QueryResult<Mutation.Data>)] = [:]

    init(_ environment: RelayEnvironment) {
        handles = [MutationHandle(in: environment), MutationHandle(in: environment)]
    }

    /// The commits whose requests must be in flight: all but those that wait in the queue.
    var sent: [Commit] {
        var isQueueTaken = false
        return open.filter { commit in
            guard commit.isSerial else { return true }
            defer { isQueueTaken = true }
            return !isQueueTaken
        }
    }

    var describe: String { open.map { "\($0.number)\($0.isSerial ? "s" : "")" }.joined(separator: " ") }

    /// Begins a commit, unless an equal one is open.
    func begin(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        let id = EffectsService.ids.randomElement(using: &random) ?? "1"
        let favourite = Bool.random(using: &random)
        let isSerial = Bool.random(using: &random)
        let handle = Int.random(in: 0...1, using: &random)
        let isOptimistic = Int.random(in: 0..<3, using: &random) > 0
        if open.contains(where: { $0.id == id && $0.favourite == favourite }) { return "no commit" }
        last += 1
        let mutation = Mutation(variables: .init(id: id, favourite: favourite))
        let optimistic: OptimisticUpdate<Mutation>? =
            isOptimistic
            ? .response(
                .object([
                    .init(
                        "setFavourite",
                        .object([
                            .init("film", .object([.init("id", .string(id)), .init("favourite", .bool(favourite))]))
                        ]))
                ])) : nil
        let outcome = Later<QueryResult<Mutation.Data>>()
        let isSent = !isSerial || !open.contains(where: \.isSerial)
        let before = (model.network.sent.count, model.environment.serials.count(in: "q"))
        let task = Task { [handle = handles[handle]] in
            let result: QueryResult<Mutation.Data>
            do throws(RelayError) {
                let serial = isSerial ? "q" : nil
                let response = try await handle.commit(mutation, optimistic: optimistic, serial: serial)
                let hasFailed = response.data == nil && !response.errors.isEmpty
                result = hasFailed ? .failure(.noData(response.errors)) : .success(response.data)
            } catch {
                result = .failure(error)
            }
            outcome.value = result
        }
        await model.wait("the begin of commit \(last)") { [network = model.network, environment = model.environment] in
            isSent ? network.sent.count > before.0 : environment.serials.count(in: "q") > before.1
        }
        let layer = isOptimistic ? model.addLayer(.init(title: nil, favourite: favourite), of: id) : nil
        open.append(
            Commit(
                number: last, handle: handle, id: id, favourite: favourite, isSerial: isSerial, layer: layer,
                outcome: outcome, task: task))
        return "commit \(last) of \(handle): \(id) \(favourite) \(isSerial ? "serial" : "")"
    }

    /// Notes that the commit of a request has got its response or a failure.
    func end(_ request: NetworkRequest, _ model: EffectsModel) async {
        guard let commit = open.first(where: { $0.title == request.title }) else { return }
        await end([commit.number], model)
    }

    /// Cancels the task of a commit, or all commits of a handle.
    func cancel(_ model: EffectsModel, _ random: inout SeededGenerator) async -> String {
        if Bool.random(using: &random) {
            let handle = Int.random(in: 0...1, using: &random)
            let numbers = open.filter { $0.handle == handle }.map(\.number)
            handles[handle].cancel()
            await end(numbers, model)
            return "cancel commits of \(handle)"
        }
        guard let commit = open.randomElement(using: &random) else { return "no commit" }
        commit.task.cancel()
        await end([commit.number], model)
        return "cancel commit \(commit.number)"
    }

    /// Notes that nothing in flight or in the queue is left.
    ///
    /// What was shown before the reset is not shown any more.
    func reset(_ model: EffectsModel) async {
        await end(open.map(\.number), model)
        shown = [:]
    }

    /// Replaces a handle; its commits go on.
    func replace(_ model: EffectsModel) -> String {
        replace(0, in: model.environment)
        open = open.map { commit in
            commit.handle != 0
                ? commit
                : Commit(
                    number: commit.number, handle: -1, id: commit.id, favourite: commit.favourite,
                    isSerial: commit.isSerial, layer: commit.layer, outcome: commit.outcome, task: commit.task)
        }
        return "a new mutation handle"
    }

    /// Replaces a handle, whose response retains what it shows.
    func replace(_ handle: Int, in environment: RelayEnvironment) {
        handles[handle] = MutationHandle(in: environment)
        shown[handle] = nil
    }

    private func end(_ numbers: [Int], _ model: EffectsModel) async {
        let ended = open.filter { numbers.contains($0.number) }
        let first = open.first(where: \.isSerial)?.number
        open.removeAll { numbers.contains($0.number) }
        for commit in ended {
            await model.wait("the outcome of commit \(commit.number)") { [outcome = commit.outcome] in
                outcome.value != nil
            }
            if let layer = commit.layer { model.removeLayer(layer) }
            if let result = commit.outcome.value, commit.number > shown[commit.handle]?.number ?? 0 {
                shown[commit.handle] = (commit.number, result)
            }
        }
        // The next one in the queue is sent.
        if let next = open.first(where: \.isSerial), next.number != first {
            await model.wait("the turn of commit \(next.number)") { [network = model.network, title = next.title] in
                network.waiting.contains { $0.title == title }
            }
        }
    }

    func violations(_ model: EffectsModel) -> [String] {
        var found: [String] = []
        for (number, handle) in handles.enumerated() {
            if handle.isFetching != open.contains(where: { $0.handle == number }) {
                found.append("mutation handle \(number) says \(handle.isFetching), but open are: \(describe)")
            }
            if handle.result != shown[number]?.result ?? .loading {
                found.append("mutation handle \(number) does not show the outcome of its newest commit that has ended")
            }
        }
        let waiting = model.network.waiting.filter { $0.kind == .mutation }.map(\.title)
        if waiting.sorted() != sent.map(\.title).sorted() {
            found.append("mutations in flight: \(waiting); those that must be: \(sent.map(\.title))")
        }
        return found
    }
}
