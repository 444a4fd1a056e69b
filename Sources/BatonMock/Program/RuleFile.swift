import Foundation

/// A file with rules.
struct RuleFile: SavedFile {
    let title = "rules"
    private let rules: ConductRules
    private var look: FileLook

    /// The bytes that a file with rules may have.
    static let longest = 1 << 20

    init(_ path: String, _ rules: ConductRules) {
        self.rules = rules
        look = FileLook(path)
    }

    /// Reads the file if it has changed. Its rules take the place of those before.
    mutating func readAgain() throws -> Bool {
        guard look.hasChanged() else { return false }
        guard let file = FileHandle(forReadingAtPath: look.path) else {
            throw Options.Mistake(description: "The file '\(look.path)' cannot be read.")
        }
        let bytes = try file.read(upToCount: Self.longest + 1) ?? Data()
        guard bytes.count <= Self.longest else {
            throw Options.Mistake(description: "The file '\(look.path)' has more than \(Self.longest) bytes.")
        }
        rules.replace(with: try ConductRuleReader.rules(in: [UInt8](bytes)))
        return true
    }
}
