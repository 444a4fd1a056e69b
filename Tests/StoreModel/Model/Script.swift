import Baton
import RandomCases

/// One step of a run: its kind, and the seed of all its random choices.
package struct Step: Hashable, Sendable {
    /// The kinds of steps. Stored scripts contain these names, so that a name must keep its meaning.
    package enum Kind: String, CaseIterable, Sendable {
        /// Reads and publishes a new response.
        case answer
        /// Publishes a response like the last one of its operation.
        case again
        /// Publishes a response like the last one of its operation, in which objects have moved.
        case moved
        /// Tries to publish an unusable answer.
        case broken
        /// Reads a response and publishes it later.
        case early
        /// Publishes a response that was read earlier.
        case land
        /// Runs a local update.
        case update
        /// Runs a local update that throws at its end.
        case failure
        /// Runs a local update inside another one.
        case nested
        /// Publishes a response with an updater.
        case updater
        case invalidate
        /// Makes a record, a type or an operation stale.
        case stale
        case subscribe
        /// Lets notified subscribers read again.
        case reread
        case unsubscribe
        /// Reads data and subscribes to it later.
        case snapshot
        /// Subscribes to data that was read earlier.
        case late
        /// Adds an optimistic change on top of the others.
        case optimistic
        /// Replaces an optimistic change by another one.
        case replace
        /// Reverts an optimistic change.
        case drop
        /// Adds many optimistic changes, one after the other.
        case pile
        /// Reverts several optimistic changes in one publish.
        case revert
        /// Publishes a response that replaces an optimistic change.
        case confirm
        case begin
        case end
        /// Takes a snapshot.
        case keep
        /// Restores the last snapshot.
        case restore
        /// Empties the store.
        case reset
        /// Runs a whole collection.
        case collect
        /// Runs a few small slices of a collection.
        case slice
        case retain
        case release
        case fetched
        case check
        case read
        /// Writes what was published into the file.
        case write
        /// Begins a new store over the file.
        case restart

        /// The relative frequency of the kind.
        func weight(in world: Script.Kind) -> Int {
            switch self {
            case .write, .restart, .collect, .slice: world == .disk ? 8 : self == .slice ? 6 : self == .collect ? 2 : 0
            case .moved where world == .alike: 40
            case .update where world == .alike: 2
            case .answer, .again: 10
            case .update: 12
            case .subscribe, .reread: 8
            case .early, .land, .check, .read, .optimistic, .moved: 5
            case .drop, .confirm, .begin, .revert: 3
            case .reset, .pile: 1
            case .updater, .nested, .failure: 3
            default: 2
            }
        }
    }

    package let kind: Kind
    let seed: UInt64
}

/// Performs the steps of a run on a store and on a model, and compares the two.
protocol ModelDriver: AnyObject {
    var store: Store { get }
    init(world: UInt64)
    /// Receives a description of the random choices in a step, for traces.
    var tell: ((String) -> Void)? { get set }
    /// Performs a step; throws if store and model differ afterwards.
    func perform(_ step: Step) throws
    func finish() throws
}

/// A run that can be repeated: a world and its steps.
///
/// As text, it has one item on each line: `world 17`, then `update 4711` and so on; a remark follows `#`. The name of
/// the world decides which driver performs the steps, and so the meaning of their numbers. Stored runs therefore stay
/// valid when another kind of world is added.
package struct Script: Sendable {
    /// The subject of a run.
    package enum Kind: String, CaseIterable, Sendable {
        /// Records of all kinds.
        case records = "world"
        case connections
        /// The ages of data.
        case ages
        /// Records of which most have the fields of one query, so that answers are compared with whole records.
        case alike
        /// Records over a file, with restarts.
        case disk

        fileprivate func driver(world: UInt64) -> any ModelDriver {
            switch self {
            case .records: StoreDriver(world: world)
            case .connections: ConnectionDriver(world: world)
            case .ages: AgeDriver(world: world)
            case .alike: StoreDriver(Universe(alike: world))
            case .disk:
                StoreDriver(Universe(seed: world), disk: MemoryDisk(), leavesUnknown: world / 2 % 2 == 1)
            }
        }
    }

    package var kind: Kind
    package var world: UInt64
    package var steps: [Step]

    package init(_ kind: Kind = .records, world: UInt64, steps: [Step]) {
        self.kind = kind
        self.world = world
        self.steps = steps
    }

    /// The run of a seed.
    package init(_ kind: Kind = .records, seed: UInt64, count: Int) {
        var generator = SeededGenerator(seed: seed)
        self.kind = kind
        let kinds = Step.Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight(in: kind)) }
        world = generator.next() % 1_000_000
        steps = (0..<count).map { _ in Step(kind: generator.pick(kinds), seed: generator.next() % 1_000_000) }
    }

    /// Parses a script; nil if the text is not a script.
    package init?(_ text: String) {
        kind = .records
        world = 0
        steps = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(separator: " ")
            if words.isEmpty { continue }
            guard words.count == 2, let number = UInt64(words[1]) else { return nil }
            if let kind = Kind(rawValue: String(words[0])) {
                self.kind = kind
                world = number
            } else if let kind = Step.Kind(rawValue: String(words[0])) {
                steps.append(Step(kind: kind, seed: number))
            } else {
                return nil
            }
        }
    }

    package var text: String {
        (["\(kind.rawValue) \(world)"] + steps.map { "\($0.kind.rawValue) \($0.seed)" }).joined(separator: "\n") + "\n"
    }

    /// Performs the steps. It announces the name of each step and describes its random choices. Returns the failure and
    /// its step, or nil.
    package func run(
        announcing announce: (String) -> Void = { _ in }, telling tell: ((String) -> Void)? = nil
    ) -> ModelFailure? {
        let driver = kind.driver(world: world)
        driver.tell = tell
        for (index, step) in steps.enumerated() {
            announce(step.kind.rawValue)
            do {
                try driver.perform(step)
            } catch {
                return ModelFailure(step: index, message: "\(error)")
            }
        }
        do { try driver.finish() } catch { return ModelFailure(step: steps.count, message: "\(error)") }
        return nil
    }

    /// The store after all steps, without optimistic changes; nil if a step fails.
    package func store() -> Store? {
        let driver = kind.driver(world: world)
        for step in steps {
            do { try driver.perform(step) } catch { return nil }
        }
        do { try driver.finish() } catch { return nil }
        return driver.store
    }

    /// Removes steps while the run still fails, first many at a time.
    package func shrunk() -> Script {
        guard let failure = run() else { return self }
        var best = Script(kind, world: world, steps: Array(steps.prefix(failure.step + 1)))
        var size = max(best.steps.count / 2, 1)
        while true {
            var start = 0
            var isShorter = false
            while start < best.steps.count {
                var shorter = best
                shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
                if shorter.run() != nil {
                    best = shorter
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { return best }
            size = max(size / 2, 1)
        }
    }
}

/// The failure of a run: the step and a message.
package struct ModelFailure: Sendable {
    /// The number of the step, from 0; the number of steps if the failure was found at the end.
    package let step: Int
    package let message: String
}
