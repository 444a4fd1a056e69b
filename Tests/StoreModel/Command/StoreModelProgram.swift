import Baton
import Foundation
import StoreModel

/// Runs random sequences of steps on the store and the model until the time is over or a run fails.
///
/// `store-model [--seconds N] [--seed N] [--steps N] [--threads N] [--about world|connections|ages|alike|parts]`
/// `[--replay FILE] [--trace]`
///
/// Runs about parts have no steps: each seed is a document whose answers are split into parts in both formats.
@main struct StoreModelProgram {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if let script = options.script { exit(replay(script, trace: options.trace)) }
            exit(options.isAboutParts ? splits(options) : campaign(options))
        } catch {
            print("store-model: \(error)")
            exit(2)
        }
    }

    /// Runs a stored script.
    private static func replay(_ script: Script, trace: Bool) -> Int32 {
        guard
            let failure = script.run(
                announcing: { if trace { print($0) } }, telling: trace ? { print("    \($0)") } : nil)
        else {
            print("passed: \(script.steps.count) steps")
            return 0
        }
        print("step \(failure.step): \(failure.message)")
        return 1
    }

    /// Runs seeds one after the other on each thread.
    private static func campaign(_ options: Options) -> Int32 {
        let tally = Guarded(Tally())
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: options.threads) { thread in
            var seed = options.seed &+ UInt64(thread)
            while start.duration(to: .now) < .seconds(options.seconds), tally.withLock({ $0.failure == nil }) {
                if options.trace { print("seed \(seed)") }
                var counts: [String: Int] = [:]
                let script = Script(options.kind, seed: seed, count: options.steps)
                let failure = script.run(announcing: { counts[$0, default: 0] += 1 })
                tally.withLock { tally in
                    tally.runs += 1
                    tally.counts.merge(counts) { $0 + $1 }
                    if let failure, tally.failure == nil { tally.failure = (seed, script, failure) }
                }
                seed &+= UInt64(options.threads)
            }
        }
        let (seconds, fraction) = start.duration(to: .now).components
        let result = tally.withLock { $0 }
        let steps = result.counts.values.reduce(0, +)
        let time = Double(seconds) + Double(fraction) / 1e18
        for (kind, count) in result.counts.sorted(by: { $0.key < $1.key }) { print("\(kind): \(count)") }
        print("\(steps) steps in \(result.runs) runs, \(Int(Double(steps) / max(time, 0.001))) a second")
        guard let (seed, script, failure) = result.failure else { return 0 }
        print("FAILED with seed \(seed) at step \(failure.step), after \(steps) steps: \(failure.message)")
        let shrunk = script.shrunk()
        print("the shortest run that still fails; keep it in Tests/StoreModel/Failures:")
        print(shrunk.text)
        if let failure = shrunk.run() { print("step \(failure.step): \(failure.message)") }
        return 1
    }

    /// Splits answers, seed by seed on each thread.
    private static func splits(_ options: Options) -> Int32 {
        let tally = Guarded(PartsModel.Tally())
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: options.threads) { thread in
            var seed = options.seed &+ UInt64(thread)
            while start.duration(to: .now) < .seconds(options.seconds), tally.withLock({ $0.failure == nil }) {
                var own = PartsModel.Tally()
                PartsModel.run(seed: seed, into: &own)
                tally.withLock { [own] in $0.add(own) }
                seed &+= UInt64(options.threads)
            }
        }
        let result = tally.withLock { $0 }
        print(
            "\(result.splits) splits in \(result.payloads) payloads, of responses to the \(result.documents) documents "
                + "of the seeds from \(options.seed)")
        guard let failure = result.failure else { return 0 }
        print("FAILED with \(failure)")
        return 1
    }

    private struct Tally {
        var runs = 0
        var counts: [String: Int] = [:]
        var failure: (seed: UInt64, script: Script, failure: ModelFailure)?
    }
}

/// The options of the command line.
private struct Options {
    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    var seconds = 10
    var seed: UInt64 = 1
    var steps = 300
    var threads = 2
    var kind = Script.Kind.records
    var isAboutParts = false
    var script: Script?
    var trace = false

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let name = rest.popFirst() {
            if name == "--trace" {
                trace = true
                continue
            }
            guard let value = rest.popFirst() else { throw Invalid(description: "'\(name)' wants a value") }
            if name == "--replay" {
                script = try Script(contentsOf: value)
                continue
            }
            if name == "--about", value == "parts" {
                isAboutParts = true
                continue
            }
            if name == "--about" {
                guard let kind = Script.Kind(rawValue: value) else {
                    throw Invalid(description: "there are no runs about '\(value)'")
                }
                self.kind = kind
                continue
            }
            guard let number = Int(value), number >= 0 else {
                throw Invalid(description: "'\(name)' wants a number, not '\(value)'")
            }
            switch name {
            case "--seconds": seconds = number
            case "--seed": seed = UInt64(number)
            case "--steps": steps = number
            case "--threads": threads = max(number, 1)
            default: throw Invalid(description: "there is no option '\(name)'")
            }
        }
    }
}

extension Script {
    fileprivate init(contentsOf path: String) throws {
        guard let script = Script(try String(contentsOfFile: path, encoding: .utf8)) else {
            throw Options.Invalid(description: "'\(path)' is no script")
        }
        self = script
    }
}
