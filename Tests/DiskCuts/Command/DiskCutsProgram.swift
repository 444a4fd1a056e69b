import DiskCuts
import Foundation

/// Cuts the power under a store, has calls of the system fail, and kills processes, and looks at what is left.
///
/// `disk-cuts [--histories N] [--cuts N] [--seed N] [--steps N] [--by-itself] [--plant NAME] [--trace]`
/// `disk-cuts --faults N [--share N] [--seed N] [--steps N]`
/// `disk-cuts --kills N [--seed N]`
/// `disk-cuts --death HOW --child FILE`
@main struct DiskCutsProgram {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let path = options.child, let end = options.death { try StoreDeaths.child(path, end) }
            if let path = options.child { try StoreKills.child(path, seed: options.seed) }
            if let kills = options.kills {
                try kill(kills, options)
            } else if let faults = options.faults {
                try fail(faults, options)
            } else {
                try cut(options)
            }
        } catch {
            print("disk-cuts: \(error)")
            exit(1)
        }
    }

    private static func cut(_ options: Options) throws {
        var tally = Cuts.Tally()
        for number in 0..<options.histories {
            let seed = options.seed + number
            do {
                let cuts = try StoreCuts(
                    seed: seed, steps: options.steps, isWrittenByItself: options.isWrittenByItself,
                    isTraced: options.isTraced)
                let trace = options.plant?.applied(to: cuts.trace) ?? cuts.trace
                try cuts.cut(trace, options.cuts, seed: seed, &tally)
            } catch {
                print("disk-cuts: \(tally.description)")
                print("FAILED with seed \(seed): \(error)")
                exit(1)
            }
        }
        print("disk-cuts: \(tally.description)")
    }

    private static func fail(_ runs: Int, _ options: Options) throws {
        var tally = StoreFaults.Tally()
        for number in 0..<runs {
            let seed = options.seed + number
            for work in StoreFaults.Work.allCases {
                do {
                    let faults = StoreFaults(seed: seed, steps: options.steps)
                    try faults.run(work, share: options.share, cuts: options.cuts, &tally)
                } catch {
                    print("disk-cuts: \(tally.description)")
                    print("FAILED with seed \(seed): \(error)")
                    exit(1)
                }
            }
        }
        print("disk-cuts: \(tally.description)")
    }

    private static func kill(_ count: Int, _ options: Options) throws {
        var tally = StoreKills.Tally()
        let program = URL(filePath: CommandLine.arguments[0]).path
        for number in 0..<count {
            let seed = options.seed + number
            do {
                try StoreKills.run(program, seed: seed, &tally)
            } catch {
                print("disk-cuts: \(tally.description)")
                print("FAILED with seed \(seed): \(error)")
                exit(1)
            }
        }
        print("disk-cuts: \(tally.description)")
    }
}

/// The options of the command line.
private struct Options {
    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    var histories = 10
    var cuts = 200
    var seed = 1
    var steps = 120
    var isWrittenByItself = false
    var plant: Plant?
    var isTraced = false
    /// The number of histories in which calls fail, and which share of the calls: one of so many.
    var faults: Int?
    var share = 1
    /// The number of processes that are killed.
    var kills: Int?
    /// How a process ends that has opened the file of a child.
    var death: StoreDeaths.End?
    /// The file of a process that is killed.
    var child: String?

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let name = rest.popFirst() {
            if name == "--by-itself" {
                isWrittenByItself = true
                continue
            }
            if name == "--trace" {
                isTraced = true
                continue
            }
            guard let value = rest.popFirst() else { throw Invalid(description: "'\(name)' wants a value") }
            if name == "--plant" {
                guard let plant = Plant(rawValue: value) else {
                    let known = Plant.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Invalid(description: "there is no fault '\(value)', but \(known)")
                }
                self.plant = plant
                continue
            }
            if name == "--death" {
                guard let end = StoreDeaths.End(rawValue: value) else {
                    let known = StoreDeaths.End.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Invalid(description: "there is no end '\(value)', but \(known)")
                }
                death = end
                continue
            }
            if name == "--child" {
                child = value
                continue
            }
            guard let number = Int(value), number >= 0 else {
                throw Invalid(description: "'\(name)' wants a number, not '\(value)'")
            }
            switch name {
            case "--histories": histories = number
            case "--cuts": cuts = number
            case "--seed": seed = number
            case "--steps": steps = number
            case "--faults": faults = number
            case "--share": share = max(number, 1)
            case "--kills": kills = number
            default: throw Invalid(description: "there is no option '\(name)'")
            }
        }
    }
}
