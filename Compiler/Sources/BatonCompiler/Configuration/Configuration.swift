import BatonCodegen
import BatonDiagnostics

/// What `baton.json` says. Paths are relative to the folder of the file.
package struct Configuration: Sendable {
    /// Files, folders or globs with the schema: SDL, or introspection JSON. Default: `["schema.graphql"]`.
    package var schema: [String] = ["schema.graphql"]
    /// Files with types and fields that only the client knows. Default: none.
    package var schemaExtensions: [String] = []
    /// Globs of `.graphql` files with documents and of `.swift` files with `graphql("""...""")` literals.
    /// Default: `["**/*.graphql", "**/*.swift"]`.
    package var documents: [String] = ["**/*.graphql", "**/*.swift"]
    /// Globs of files that are no documents. Schema files, the output folder and hidden folders never are. Default: none.
    package var exclude: [String] = []
    /// The folder for generated files; nothing else may keep files there that begin as generated ones do. Default: `__generated__`.
    package var output = "__generated__"
    /// The module to which the generated files belong; it is never imported. Default: none.
    package var module: String?
    /// `public`, `package` or `internal`. Default: `internal`.
    package var access = AccessLevel.internal
    /// For each custom scalar the Swift type, its module, and the type that converts if it is another one. Default: none.
    package var scalars: [String: ScalarMapping] = [:]
    /// Where the names of mapped scalars were written.
    package var scalarSpans: [String: Span] = [:]

    package init() {}

    package static let keys = [
        "schema", "schemaExtensions", "documents", "exclude", "output", "module", "access", "scalars",
    ]

    package var generationOptions: GenerationOptions {
        var scalars = scalars
        for (name, mapping) in scalars where mapping.module == module { scalars[name]?.module = nil }
        return GenerationOptions(access: access, scalars: scalars)
    }
}

extension Configuration {
    /// Reads a configuration and reports everything that is wrong with it.
    package static func parse(_ source: SourceFile) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
        switch JSONParser.parse(source) {
        case .failure(let error): return (Configuration(), [error.diagnostic])
        case .success(let node):
            var reader = ConfigurationReader()
            let configuration = reader.read(node)
            return (configuration, reader.diagnostics)
        }
    }
}

/// Turns JSON into a configuration.
private struct ConfigurationReader {
    private(set) var diagnostics: [Diagnostic] = []

    mutating func read(_ node: JSONNode) -> Configuration {
        var result = Configuration()
        for member in members(of: node, "the configuration", keys: Configuration.keys) {
            switch member.name {
            case "schema": result.schema = strings(member) ?? result.schema
            case "schemaExtensions": result.schemaExtensions = strings(member) ?? []
            case "documents": result.documents = strings(member) ?? result.documents
            case "exclude": result.exclude = strings(member) ?? []
            case "output": result.output = output(member) ?? result.output
            case "module": result.module = swiftName(member)
            case "access": result.access = access(member)
            case "scalars":
                for scalar in members(of: member.value, "'scalars'", keys: nil) {
                    result.scalars[scalar.name] = mapping(scalar.value)
                    result.scalarSpans[scalar.name] = scalar.nameSpan
                }
            default: break
            }
        }
        return result
    }

    private mutating func members(of node: JSONNode, _ what: String, keys: [String]?) -> [JSONNode.Member] {
        guard case .object(let members) = node.kind else {
            report(.configurationType, "\(what) must be an object, not \(node.description)", at: node.span)
            return []
        }
        guard let keys else { return members }
        return members.filter { member in
            if keys.contains(member.name) { return true }
            report(
                .unknownKey,
                "\(what) has no key '\(member.name)'",
                at: member.nameSpan,
                suggestion: Spelling.question(for: member.name, among: keys)
                    ?? "the keys are \(keys.map { "'\($0)'" }.joined(separator: ", "))"
            )
            return false
        }
    }

    private mutating func strings(_ member: JSONNode.Member) -> [String]? {
        guard case .array(let items) = member.value.kind else {
            let found = member.value.description
            report(
                .configurationType,
                "'\(member.name)' must be an array of strings, not \(found)",
                at: member.value.span
            )
            return nil
        }
        return items.compactMap { item in
            guard case .string(let text) = item.kind, !text.isEmpty else {
                report(.configurationType, "'\(member.name)' holds strings that are not empty", at: item.span)
                return nil
            }
            return text
        }
    }

    private mutating func string(_ member: JSONNode.Member) -> String? {
        guard case .string(let text) = member.value.kind, !text.isEmpty else {
            report(
                .configurationType,
                "'\(member.name)' must be a string that is not empty",
                at: member.value.span
            )
            return nil
        }
        return text
    }

    /// A folder that is written to and cleaned up must be one of its own.
    private mutating func output(_ member: JSONNode.Member) -> String? {
        guard let path = string(member) else { return nil }
        if FilePath.normalized(path) == "." {
            report(.configurationType, "'output' must be a folder of its own", at: member.value.span)
            return nil
        }
        return path
    }

    private mutating func swiftName(_ member: JSONNode.Member) -> String? {
        guard let text = string(member) else { return nil }
        let isName = text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            part.first.map { $0 == "_" || $0.isLetter } == true
                && part.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
        }
        if isName { return text }
        report(.configurationType, "'\(text)' is no Swift name", at: member.value.span)
        return nil
    }

    private mutating func access(_ member: JSONNode.Member) -> AccessLevel {
        guard let text = string(member) else { return .internal }
        if let level = AccessLevel(rawValue: text) { return level }
        report(
            .configurationType,
            "'access' must be 'public', 'package' or 'internal', not '\(text)'",
            at: member.value.span,
            suggestion: Spelling.question(for: text, among: AccessLevel.allCases.map(\.rawValue))
        )
        return .internal
    }

    private mutating func mapping(_ node: JSONNode) -> ScalarMapping? {
        if case .string(let text) = node.kind {
            let member = JSONNode.Member(name: "type", nameSpan: node.span, value: node)
            return swiftName(member).map { _ in ScalarMapping(type: text) }
        }
        var type: String?
        var mapping = ScalarMapping(type: "")
        let count = diagnostics.count
        for member in members(of: node, "a scalar", keys: ["type", "module", "conversion"]) {
            switch member.name {
            case "type": type = swiftName(member)
            case "module": mapping.module = swiftName(member)
            case "conversion": mapping.conversion = swiftName(member)
            default: break
            }
        }
        guard let type else {
            if diagnostics.count == count {
                report(.configurationType, "a scalar needs a 'type'", at: node.span)
            }
            return nil
        }
        mapping.type = type
        return mapping
    }

    private mutating func report(_ id: DiagnosticID, _ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(id, message, at: span, suggestion: suggestion))
    }
}
