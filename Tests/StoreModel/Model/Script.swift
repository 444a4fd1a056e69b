import Baton

/// One step of a run: what is done, and the seed of everything that is chosen in it.
package struct Step: Hashable, Sendable {
    /// What can be done to a store. The names stand in scripts that are kept: never give one another meaning.
    package enum Kind: String, CaseIterable, Sendable {
        /// A new answer is read and published.
        case answer
        /// An answer like the last one of its operation.
        case again
        /// An answer that cannot be used.
        case broken
        /// An answer is read, to be published later.
        case early
        /// An answer that was read earlier is published.
        case land
        /// A local update.
        case update
        /// A local update that throws at its end.
        case failure
        /// A local update inside which another one runs.
        case nested
        /// An answer with an updater.
        case updater
        case invalidate
        /// A record, a type or an operation is made stale.
        case stale
        case subscribe
        /// Those who were told read again.
        case reread
        case unsubscribe
        /// Something is read, to be subscribed to later.
        case snapshot
        /// What was read earlier is subscribed to.
        case late
        /// An optimistic change, on top of the others.
        case optimistic
        /// Another optimistic change in the place of one.
        case replace
        /// An optimistic change is taken back.
        case drop
        /// Many optimistic changes, one after the other.
        case pile
        /// Several optimistic changes are taken back in one publish.
        case revert
        /// An answer lands and takes the place of an optimistic change.
        case confirm
        /// A query is sent.
        case begin
        /// A query has no more answers.
        case end
        /// A snapshot is taken.
        case keep
        /// The last snapshot is restored.
        case restore
        /// The store is emptied.
        case reset
        /// What nothing keeps is collected.
        case collect
        /// A few small pieces of a collection are done.
        case slice
        case retain
        case release
        case fetched
        case check
        case read

        /// How often it comes.
        var weight: Int {
            switch self {
            case .answer, .again: 10
            case .update: 12
            case .subscribe, .reread: 8
            case .early, .land, .check, .read, .optimistic: 5
            case .slice: 6
            case .drop, .confirm, .begin, .revert: 3
            case .reset, .pile: 1
            case .updater, .nested, .failure: 3
            default: 2
            }
        }
    }

    let kind: Kind
    let seed: UInt64
}

/// Does the steps of a run to a store and to a model, and compares them.
protocol ModelDriver: AnyObject {
    var store: Store { get }
    init(world: UInt64)
    /// Hears what is chosen in a step, if anybody wants to know.
    var tell: ((String) -> Void)? { get set }
    /// Throws if the two are different afterwards.
    func perform(_ step: Step) throws
    func finish() throws
}

/// A run that can be repeated: a world and the steps in it.
///
/// As text, one thing a line: `world 17`, then `update 4711` and so on; what follows `#` is a remark. The name of the
/// world says who performs the steps, and so what their numbers mean: kept runs stay what they are when there is
/// another kind of world.
package struct Script: Sendable {
    /// What a run is about.
    package enum Kind: String, CaseIterable, Sendable {
        /// Records of all kinds.
        case records = "world"
        case connections
        /// How old everything is.
        case ages

        fileprivate var driver: any ModelDriver.Type {
            switch self {
            case .records: StoreDriver.self
            case .connections: ConnectionDriver.self
            case .ages: AgeDriver.self
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
        let kinds = Step.Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
        world = generator.next() % 1_000_000
        steps = (0..<count).map { _ in Step(kind: generator.pick(kinds), seed: generator.next() % 1_000_000) }
    }

    /// Nil if the text is no script.
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

    /// Performs the steps, each announced by its name, and tells what is chosen in them; what went wrong, and at which
    /// of them.
    package func run(
        announcing announce: (String) -> Void = { _ in }, telling tell: ((String) -> Void)? = nil
    ) -> ModelFailure? {
        let driver = kind.driver.init(world: world)
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

    /// The store after the steps, without optimistic changes; nil if one fails.
    package func store() -> Store? {
        let driver = kind.driver.init(world: world)
        for step in steps {
            do { try driver.perform(step) } catch { return nil }
        }
        do { try driver.finish() } catch { return nil }
        return driver.store
    }

    /// Leaves out steps for as long as the run still fails, first many at a time.
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

/// Where a run went wrong, and how.
package struct ModelFailure: Sendable {
    /// From 0; the number of steps if it was found at the end.
    package let step: Int
    package let message: String
}
