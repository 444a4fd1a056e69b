import Foundation
import PackagePlugin

/// `swift package baton COMMAND`: runs the compiler for each configuration of the package.
@main
struct BatonCommandPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = try context.tool(named: "BatonCommand").url
        let package = context.package.directoryURL
        var runs = [arguments]
        if Self.takesConfiguration(arguments) {
            let configurations = Self.configurations(of: context.package)
            if !configurations.isEmpty { runs = configurations.map { arguments + ["--config", $0] } }
        }
        var failures: Int32 = 0
        for arguments in runs {
            let process = Process()
            process.executableURL = tool
            process.arguments = arguments
            process.currentDirectoryURL = package
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { failures += 1 }
        }
        if failures > 0 { Diagnostics.error("'baton \(arguments.joined(separator: " "))' failed") }
    }

    /// Whether a command is about a project and does not say which.
    private static func takesConfiguration(_ arguments: [String]) -> Bool {
        let words = ["compile", "validate", "format"]
        let others = ["--config", "--schema", "--help", "-h", "-"]
        return arguments.first.map(words.contains) == true
            && !arguments.contains { argument in
                others.contains { argument == $0 || argument.hasPrefix($0 + "=") }
            }
    }

    /// The configurations in the package's folder and in those of its targets, as paths from the package's folder.
    private static func configurations(of package: Package) -> [String] {
        let root = package.directoryURL.standardizedFileURL.path(percentEncoded: false)
        let folders = [package.directoryURL] + package.targets.map(\.directoryURL)
        var paths: [String] = []
        for folder in folders {
            let file = folder.appending(path: "baton.json").standardizedFileURL.path(percentEncoded: false)
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let path = file.hasPrefix(root) ? String(file.dropFirst(root.count).drop { $0 == "/" }) : file
            if !paths.contains(path) { paths.append(path) }
        }
        return paths
    }
}
