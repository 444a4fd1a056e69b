/// What the manifest of a Swift package says with literals of the targets whose build generates.
///
/// A manifest is a program, which is not run: what it computes is not seen. So a target that uses the build plugin may
/// be missing here, but no target is here that does not.
package struct PackageManifest {
    /// A target that names the build plugin in its list of plugins.
    package struct GeneratingTarget: Hashable, Sendable {
        package let name: String
        package let folder: AbsolutePath
    }

    /// The folder of the package.
    package let folder: AbsolutePath
    /// In the order of the manifest.
    package let generatingTargets: [GeneratingTarget]

    /// The manifest of the package that a folder belongs to; nil if there is none.
    package init?(around folder: AbsolutePath) {
        var folder = folder
        while FileKind(at: folder.appending(Self.fileName)) != .file {
            if folder == folder.parent { return nil }
            folder = folder.parent
        }
        guard let bytes = try? InputFile.read(folder.appending(Self.fileName)) else { return nil }
        self.folder = folder
        var reader = ManifestReader(bytes)
        let generating = reader.targets().filter { !$0.plugins.isDisjoint(with: Self.plugins) }
        generatingTargets = generating.compactMap { target in
            let place = target.path.map { AbsolutePath($0, relativeTo: folder) }
            return (place ?? Self.usualFolder(of: target, in: folder)).map {
                GeneratingTarget(name: target.name, folder: $0)
            }
        }
    }

    private static let fileName = "Package.swift"
    private static let plugins: Set = ["BatonPlugin", "BatonBundlePlugin"]

    /// The names of the targets for which the build generates from a configuration: each takes the nearest one in its
    /// folder or above it, in its package.
    package static func targetsGenerating(from configuration: AbsolutePath) -> [String] {
        guard let manifest = PackageManifest(around: configuration.parent) else { return [] }
        return manifest.generatingTargets.filter { target in
            target.folder.isInside(manifest.folder) && Configuration.nearest(to: target.folder) == configuration
        }
        .map(\.name)
    }

    /// Where the package manager finds a target that has no path; nil if the folder is not there.
    private static func usualFolder(of target: ManifestReader.Target, in folder: AbsolutePath) -> AbsolutePath? {
        let sources = ["Sources", "Source", "src", "srcs"]
        let parents = target.isTest ? ["Tests"] + sources : sources
        let own = parents.map { folder.appending($0).appending(target.name) }.first { FileKind(at: $0) == .folder }
        if own != nil || target.isTest { return own }
        // A package with one target may have its sources right there.
        let shared = folder.appending("Sources")
        return FileKind(at: shared) == .folder ? shared : nil
    }
}

/// Reads the calls in a manifest that describe targets.
private struct ManifestReader {
    struct Target {
        var name = ""
        var path: String?
        var plugins: Set<String> = []
        let isTest: Bool
    }

    /// An open bracket.
    private struct Frame {
        /// The name before a round bracket; empty for others.
        let callee: String
        /// The label before the bracket, in the call around it.
        let label: String?
        /// The label of the argument that is read.
        var argument: String?
        /// The literals of the arguments `name` and `path`.
        var literals: [String: String] = [:]
        var plugins: Set<String> = []
    }

    private enum Token: Equatable {
        case word(String)
        case text(String)
        case symbol(UInt8)
    }

    private static let callees: Set = ["target", "executableTarget", "testTarget"]
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func targets() -> [Target] {
        var found: [Target] = []
        var frames = [Frame(callee: "", label: nil)]
        var last: Token?
        while let token = next() {
            let top = frames.count - 1
            switch token {
            case .word: break
            case .text(let text):
                if let argument = frames[top].argument, frames[top].literals[argument] == nil {
                    frames[top].literals[argument] = text
                } else if frames[top].label == "plugins" {
                    frames[top].plugins.insert(text)
                }
            case .symbol(UInt8(ascii: ":")):
                if case .word(let word)? = last { frames[top].argument = word }
            case .symbol(UInt8(ascii: ",")): frames[top].argument = nil
            // What stands in a condition is not certain.
            case .symbol(UInt8(ascii: "?")): frames[top].argument = nil
            case .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "[")):
                var callee = ""
                if token == .symbol(UInt8(ascii: "(")), case .word(let word)? = last { callee = word }
                frames.append(Frame(callee: callee, label: frames[top].argument))
            case .symbol(UInt8(ascii: ")")), .symbol(UInt8(ascii: "]")):
                guard frames.count > 1, let closed = frames.popLast() else { break }
                let around = frames.count - 1
                if closed.callee == "plugin", frames[around].label == "plugins", let name = closed.literals["name"] {
                    frames[around].plugins.insert(name)
                } else if closed.label == "plugins" {
                    frames[around].plugins.formUnion(closed.plugins)
                } else if Self.callees.contains(closed.callee), let name = closed.literals["name"] {
                    found.append(
                        Target(
                            name: name, path: closed.literals["path"], plugins: closed.plugins,
                            isTest: closed.callee == "testTarget"))
                }
            case .symbol: break
            }
            last = token
        }
        return found
    }

    private func byte(_ offset: Int = 0) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    /// The next token behind blanks and comments.
    private mutating func next() -> Token? {
        while let byte = byte() {
            if byte <= UInt8(ascii: " ") {
                index += 1
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "/") {
                while let byte = self.byte(), byte != UInt8(ascii: "\n") { index += 1 }
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
                skipComment()
            } else if byte == UInt8(ascii: "\"") {
                return .text(text())
            } else if Self.isPartOfWord(byte) {
                let start = index
                while let byte = self.byte(), Self.isPartOfWord(byte) { index += 1 }
                return .word(String(decoding: bytes[start..<index], as: UTF8.self))
            } else {
                index += 1
                return .symbol(byte)
            }
        }
        return nil
    }

    /// Skips a comment with the comments in it.
    private mutating func skipComment() {
        var depth = 0
        while let byte = byte() {
            let pair = (byte, self.byte(1) ?? 0)
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
                (depth, index) = (depth + 1, index + 2)
            } else if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
                (depth, index) = (depth - 1, index + 2)
                if depth == 0 { return }
            } else {
                index += 1
            }
        }
    }

    /// The text of a literal, as it is written between its quotes.
    private mutating func text() -> String {
        index += 1
        let start = index
        while let byte = byte(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, bytes.count)
        index = end + 1
        return String(decoding: bytes[min(start, end)..<end], as: UTF8.self)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
