import Foundation
import PackagePlugin

/// Generates Swift for the documents of a target whenever it is built.
///
/// The proposal "Generating at build time" says how outputs are found before the tool runs.
@main
struct BatonPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let configuration: URL
        switch BuildDecision(for: target.name, in: target.directoryURL, package: package) {
        case .nothing(let warning):
            Diagnostics.warning(warning)
            return []
        case .generate(let nearest): configuration = nearest
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
}
