import Foundation
import PackagePlugin

/// Generates Swift for the documents of a target whenever it is built.
///
/// The proposal "Generating at build time" says how outputs are found before the tool runs.
@main
struct BatonPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        guard let configuration = Self.configuration(for: target.directoryURL, in: package) else {
            // No error: the program that writes a configuration is run by a build of this package.
            Diagnostics.warning(
                "nothing is generated for target '\(target.name)': there is no 'baton.json' in its folder or above it; "
                    + "'swift run baton init' writes one")
            return []
        }
        let scan = DocumentScan(configuration)
        let folder = context.pluginWorkDirectoryURL
        let list = BuildList(scan, outputs: folder.appending(path: "outputs"))
        let file = folder.appending(path: "build.json")
        try list.write(to: file)
        return [
            .buildCommand(
                displayName: "Compiling the GraphQL documents of \(target.name)",
                executable: try context.tool(named: "BatonCommand").url,
                arguments: [
                    "compile", "--build", file.path(percentEncoded: false), "--config",
                    configuration.path(percentEncoded: false),
                ],
                inputFiles: [configuration, file] + scan.inputs,
                outputFiles: list.outputs
            )
        ]
    }

    /// The nearest configuration in the folder of a target or above it, in its package.
    private static func configuration(for target: URL, in package: URL) -> URL? {
        var folder = target.standardizedFileURL
        let last = package.standardizedFileURL
        while true {
            let file = folder.appending(path: "baton.json")
            if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) { return file }
            if folder == last || folder.pathComponents.count <= last.pathComponents.count { return nil }
            folder = folder.deletingLastPathComponent()
        }
    }
}
