import BatonDiagnostics
import Foundation

/// The configuration of a new project: every key with its default and its meaning.
///
/// Two values come from the folder: a schema file that exists, and the target of a Swift package with one target, or
/// with one whose build generates.
package struct StarterConfiguration {
    /// The path of the schema file in the folder, if there is one.
    package let schema: String?
    /// The name of the package's only target.
    package let target: String?

    package init(folder: AbsolutePath, schema: String? = nil) {
        self.schema = schema ?? Self.findSchema(in: folder)
        target = Self.findTarget(in: folder)
    }

    package var output: String { target.map { "Sources/\($0)/__generated__" } ?? "__generated__" }

    /// The text of the file.
    package var text: String {
        var lines = [
            "// How 'baton compile' finds the documents and where it writes. Paths count from this folder.", "{",
        ]
        let keys = ConfigurationKey.allCases
        for (index, key) in keys.enumerated() {
            if index > 0 { lines.append("") }
            for line in key.documentation { lines.append("  // " + line) }
            let comma = index < keys.count - 1 ? "," : ""
            if let value = value(of: key) {
                lines.append("  \"\(key.rawValue)\": \(value)\(comma)")
            } else {
                lines.append("  // \"\(key.rawValue)\": \(key.exampleText)\(comma)")
            }
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func value(of key: ConfigurationKey) -> String? {
        switch key {
        case .schema: schema.map { "[\($0.quoted(in: .json))]" } ?? key.defaultText
        case .output: output.quoted(in: .json)
        case .module: target?.quoted(in: .json)
        default: key.defaultText
        }
    }

    /// The file that is most likely the schema: files are compared by name, then by depth.
    private static func findSchema(in folder: AbsolutePath) -> String? {
        let finder = FileFinder(base: folder, extensions: ["graphqls", "graphql"])
        guard case .files(let files) = finder.find("**/*.{graphqls,graphql}") else { return nil }
        let candidates = files.filter { path in
            path.name.hasSuffix(".graphqls") || path.name.lowercased().hasPrefix("schema.")
        }
        return candidates.map { $0.relative(to: folder) }.min { left, right in
            let leftDepth = left.split(separator: "/").count
            let rightDepth = right.split(separator: "/").count
            return (leftDepth, left) < (rightDepth, right)
        }
    }

    private static func findTarget(in folder: AbsolutePath) -> String? {
        guard FileKind(at: folder.appending("Package.swift")) == .file else { return nil }
        if let generating = PackageManifest(around: folder)?.generatingTargets, generating.count == 1 {
            return generating.first?.name
        }
        let sources = folder.appending("Sources")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.description)) ?? []
        let targets = names.filter { !$0.hasPrefix(".") && FileKind(at: sources.appending($0)) == .folder }
        return targets.count == 1 ? targets.first : nil
    }
}
