import Foundation

/// What the plugin does for a target. The plugin alone can say it to the package manager; its tests have this file.
enum BuildDecision: Hashable {
    /// Generates by this configuration.
    case generate(configuration: URL)
    /// Makes nothing, and warns. It is no error, because the program that writes a configuration is run by a build of
    /// this package.
    case nothing(warning: String)

    /// Decides for a target by the nearest configuration in its folder or above it, in its package.
    init(for target: String, in folder: URL, package: URL) {
        var folder = folder.standardizedFileURL
        let last = package.standardizedFileURL
        while true {
            let file = folder.appending(path: "baton.json")
            if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
                self = .generate(configuration: file)
                return
            }
            if folder == last || folder.pathComponents.count <= last.pathComponents.count { break }
            folder = folder.deletingLastPathComponent()
        }
        self = .nothing(
            warning: "nothing is generated for target '\(target)': there is no 'baton.json' in its folder or above it; "
                + "'swift run baton init' writes one")
    }
}
