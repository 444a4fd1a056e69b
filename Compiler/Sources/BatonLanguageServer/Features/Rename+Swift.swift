import BatonCompiler
import BatonProject

/// The changes in Swift sources.
extension Rename {
    /// Renames the type of a definition in Swift sources, and the property that refers to a spread fragment.
    mutating func renameInSwift(
        _ kind: DefinitionRecord.Kind, from old: String, to new: String
    ) throws(ResponseError) {
        let types = (GeneratedSwift.type(of: kind, old), GeneratedSwift.type(of: kind, new))
        let references = (GeneratedSwift.reference(old), GeneratedSwift.reference(new))
        let stem = String(old.dropFirst())
        for (path, swift) in try swiftFiles(with: stem) {
            let lines = server.lines(of: path)
            var last: SwiftIdentifiers.Identifier?
            for identifier in swift.all {
                defer { last = identifier }
                if swift.isNamed(identifier, types.0) {
                    edit.add(lines.range(of: identifier.range), types.1, to: path, isGuess: identifier.isMember)
                } else if kind == .fragment, identifier.isMember, swift.isNamed(identifier, references.0),
                    let last, swift.isNamed(last, "fragments")
                {
                    edit.add(lines.range(of: identifier.range), references.1, to: path)
                }
            }
        }
    }

    /// Renames the labels of a variable in Swift sources that make the operation or its variables.
    mutating func renameLabels(_ definition: Int) throws(ResponseError) {
        guard definition >= 0, let name = reader.definitions[definition].name else { return }
        let type = GeneratedSwift.type(of: reader.definitions[definition].kind, name)
        for (path, swift) in try swiftFiles(with: type) {
            let lines = server.lines(of: path)
            var index = 0
            while index < swift.all.count {
                defer { index += 1 }
                var callee = swift.all[index]
                guard swift.isNamed(callee, type) else { continue }
                if index + 1 < swift.all.count, swift.all[index + 1].isMember,
                    swift.isNamed(swift.all[index + 1], "Variables") || swift.isNamed(swift.all[index + 1], "init")
                {
                    callee = swift.all[index + 1]
                }
                guard callee.following == UInt8(ascii: "(") else { continue }
                for label in swift.all[(index + 1)...] where label.range.lowerBound > callee.range.lowerBound {
                    if label.depth <= callee.depth { break }
                    if label.depth == callee.depth + 1, label.following == UInt8(ascii: ":"),
                        swift.isNamed(label, old)
                    {
                        edit.add(lines.range(of: label.range), new, to: path)
                    }
                }
            }
        }
    }

    /// The Swift sources of the project in which a text occurs, without the generated files.
    func swiftFiles(
        with letters: String
    ) throws(ResponseError) -> [(path: AbsolutePath, swift: SwiftIdentifiers)] {
        var paths: Set<AbsolutePath> = site.path.description.hasSuffix(".swift") ? [site.path] : []
        if let configuration = site.view.configuration {
            let output = configuration.outputDirectory
            let finder = FileFinder(base: configuration.directory, extensions: ["swift"]) { path in
                path.isInside(output) || path.name.hasPrefix(".") || path.name == "node_modules"
            }
            if case .files(let files) = finder.find(".") { paths.formUnion(files) }
        }
        var result: [(path: AbsolutePath, swift: SwiftIdentifiers)] = []
        for path in paths.sorted() {
            if server.isCancelled(id) { throw .cancelled }
            guard let bytes = server.bytes(of: path), bytes.hasText(letters) else { continue }
            result.append((path, SwiftIdentifiers(bytes)))
        }
        return result
    }
}
