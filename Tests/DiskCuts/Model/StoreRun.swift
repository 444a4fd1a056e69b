import Baton
import RandomCases
import StoreModel

/// A random history of a store over a file of SQLite, or over one in memory that has the same states.
final class StoreRun {
    let history: DiskHistory
    /// The notes of the file at each state that was written, by the state's position.
    private(set) var notes: [Int: [CutDisk.Notes]] = [0: [[:]]]
    /// Whether the file is written on its own thread soon after a publish too, as it is in an app.
    private let isWrittenByItself: Bool
    private var generator: SeededGenerator

    init(over disk: any ModelDisk, seed: UInt64, isWrittenByItself: Bool = false) throws {
        self.isWrittenByItself = isWrittenByItself
        generator = SeededGenerator(seed: seed)
        history = try DiskHistory(world: generator.next() % 1_000_000, over: disk)
        history.didWrite = { [unowned self] position in
            guard let disk = self.disk else { return }
            notes[position, default: []].append(disk.notes)
        }
    }

    /// Prints each step and its random choices, in which failures are looked for.
    func trace() { history.tell = { print("    \($0)") } }

    /// The file of SQLite that is open now.
    var disk: CutDisk? { history.disk as? CutDisk }

    /// Performs random steps. `report` hears of the position of each state that a flush has made durable.
    func perform(_ count: Int, report: (Int) -> Void = { _ in }) throws {
        let script = Script(.disk, seed: generator.next(), count: count)
        for step in script.steps {
            if history.tell != nil { print(step.kind) }
            try perform(step)
            switch generator.below(100) {
            case ..<12: try history.fill(seed: generator.next())
            case 12..<20:
                history.tell?("flush")
                report(try flush())
            case 20..<24: try disk?.moveLog()
            default: break
            }
        }
    }

    /// Returns the position of the state that is durable now.
    func flush() throws -> Int {
        try history.write()
        let position = history.current
        try history.disk?.sync()
        return position
    }

    private func perform(_ step: Step) throws {
        guard isWrittenByItself else { return try history.perform(step) }
        // What a restart would lose is not known, and when a write fails is not either.
        switch step.kind {
        case .write: try history.write()
        case .restart:
            try history.write()
            try history.restart()
        case .nested:
            // The outer update finds what the inner one has published if that is in the file by then.
            break
        default: try history.perform(step)
        }
    }
}
