import Foundation
import ProjectStorm

/// Edits random projects and compares each result with that of a compiler that knows nothing. Ends after the given
/// number of edits or seconds, or at the first difference.
///
/// `project-storm [--server | --rename | --watch BATON] [--edits N] [--seconds N] [--seed N]`; without a number, 10,000
/// edits. With `--server` the edits are made in an editor, and compared is what the language server tells it and
/// answers. With `--rename` names are changed in projects of few names, and compared is what is sent. With `--watch` a
/// process watches the project, and another one of the same program compiles each copy.
@main struct ProjectStormProgram {
    static func main() throws {
        var edits: Int?
        var seconds: Int?
        var seed: UInt64 = 1
        var rest = CommandLine.arguments.dropFirst()
        var isServer = false
        var isRename = false
        var program: String?
        while let name = rest.popFirst() {
            if name == "--server" {
                isServer = true
                continue
            }
            if name == "--rename" {
                isRename = true
                continue
            }
            if name == "--watch" {
                program = rest.popFirst()
                continue
            }
            guard let text = rest.popFirst(), let number = UInt64(text), number < UInt64(Int.max) else {
                fail("'\(name)' wants a number")
            }
            switch name {
            case "--edits": edits = Int(number)
            case "--seconds": seconds = Int(min(number, 1_000_000))
            case "--seed": seed = number
            default: fail("there is no option '\(name)'")
            }
        }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let count = edits ?? (end == nil ? 10_000 : .max)
        if let program { return try watch(program, edits: count, until: end, seed: seed) }
        if isRename { return try rename(projects: count, until: end, seed: seed) }
        try isServer ? serve(edits: count, until: end, seed: seed) : run(edits: count, until: end, seed: seed)
    }

    private static func fail(_ message: String) -> Never {
        print("project-storm: \(message)")
        exit(2)
    }

    /// The number of edits of one project, after which another one begins.
    private static let editsOfProject = 500

    private static func run(edits: Int, until end: ContinuousClock.Instant?, seed: UInt64) throws {
        var tally = ProjectStorm.Tally()
        var next = seed
        while tally.edits < edits, tally.failure == nil, end.map({ .now < $0 }) ?? true {
            let folder = NSTemporaryDirectory() + "baton-storm-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var storm = try ProjectStorm(seed: next, in: folder)
            try storm.run(edits: min(edits, tally.edits + editsOfProject), into: &tally)
            if tally.failure != nil { print("seed \(next)") }
            next &+= 1
        }
        report(tally.description, tally.failure)
    }

    private static func serve(edits: Int, until end: ContinuousClock.Instant?, seed: UInt64) throws {
        var tally = ServerStorm.Tally()
        var next = seed
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
        while tally.edits < edits, tally.failure == nil, end.map({ .now < $0 }) ?? true {
            let folder = base + "/baton-storm-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var storm = try ServerStorm(seed: next, in: folder)
            try storm.run(edits: min(edits, tally.edits + editsOfProject), into: &tally)
            if tally.failure != nil { print("seed \(next)") }
            next &+= 1
        }
        report(tally.description, tally.failure)
    }

    private static func rename(projects: Int, until end: ContinuousClock.Instant?, seed: UInt64) throws {
        var tally = RenameStorm.Tally()
        var next = seed
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
        while tally.projects < projects, tally.failure == nil, end.map({ .now < $0 }) ?? true {
            let folder = base + "/baton-storm-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var storm = RenameStorm(seed: next, in: folder)
            try storm.run(projects: min(projects - tally.projects, 20), into: &tally)
            if tally.failure != nil { print("seed \(next)") }
            next &+= 1
        }
        report(tally.description, tally.failure)
    }

    private static func watch(
        _ program: String, edits: Int, until end: ContinuousClock.Instant?, seed: UInt64
    ) throws {
        var tally = WatchStorm.Tally()
        var next = seed
        let base = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
        var sizes: [String] = []
        while tally.edits < edits, tally.failure == nil, end.map({ .now < $0 }) ?? true {
            let folder = base + "/baton-storm-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let output = WatchOutput()
            var storm = try WatchStorm(seed: next, in: folder, output: output) { folder in
                let run = try ToolProcess.run(program, ["compile", "--format", "json", "--cache", "off"], in: folder)
                return (run.output, run.status != 0)
            }
            let arguments = ["compile", "--watch", "--format", "json", "--cache", folder + "/cache"]
            let watch = try ToolProcess(program, arguments, in: folder + "/tree", writingTo: output)
            try storm.run(edits: min(edits, tally.edits + editsOfProject), into: &tally)
            let middle = watch.residentSize
            try storm.run(edits: min(edits, tally.edits + 9 * editsOfProject), into: &tally)
            sizes.append("\(middle) then \(watch.residentSize) KB")
            if watch.terminate() != 0 { tally.failure = tally.failure ?? "the watch did not end as it should" }
            if tally.failure != nil { print("seed \(next)") }
            next &+= 1
        }
        print("memory of the watch after 500 edits and at its end: " + sizes.joined(separator: ", "))
        report(tally.description, tally.failure)
    }

    private static func report(_ tally: String, _ failure: String?) {
        print(tally)
        if let failure {
            print("FAILED " + failure)
            exit(1)
        }
    }
}
