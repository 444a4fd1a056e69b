import BatonCompiler
import Foundation

/// `baton mock`
enum MockCommand {
    /// The program that is started. It imports the runtime, which the compiler never does.
    private static let name = "baton-mock"

    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        if let path = neighbour(of: run.executable), let start = run.startProgram {
            let reason = start(path, arguments.operands)
            run.fail("'\(run.displayed(path))' cannot be started: \(reason)")
            return
        }
        run.note("'\(name)' does not stand beside this program; in a package that depends on Baton, this starts it:")
        run.print((["swift", "run", name] + arguments.operands).map(quoted).joined(separator: " "))
        run.raise(.usageErrors)
    }

    /// The program beside another one, which may be reached through a link.
    private static func neighbour(of executable: AbsolutePath?) -> AbsolutePath? {
        guard let executable else { return nil }
        let file = URL(fileURLWithPath: executable.description).resolvingSymlinksInPath().path
        return [executable, AbsolutePath(absolute: file)].lazy.map { $0.parent.appending(name) }.first { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path.description, isDirectory: &isFolder)
                && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path.description)
        }
    }

    /// A word as a shell of POSIX reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+,=".utf8.contains(byte)
            }
        }
        // Some shells expand a word that begins with an equals sign.
        if isPlain, !word.isEmpty, !word.hasPrefix("=") { return word }
        return "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
