import BatonCodegen
import BatonDiagnostics
import BatonSyntax

/// Converts the JSON of a configuration to a `Configuration`, and reports all mistakes in it.
struct ConfigurationReader {
    var configuration: Configuration
    private(set) var diagnostics: [Diagnostic]

    init(directory: AbsolutePath, diagnostics: [Diagnostic]) {
        configuration = Configuration(directory: directory)
        self.diagnostics = diagnostics
    }

    mutating func read(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "the configuration", expected: "an object", node)
            return
        }
        for member in members {
            guard let key = ConfigurationKey(rawValue: member.key) else {
                if let counterpart = ForeignKeys.top[member.key] {
                    reportForeignKey(member, counterpart)
                } else {
                    reportUnknownKey(member, among: ConfigurationKey.allCases.map(\.rawValue))
                }
                continue
            }
            read(key, member.node)
        }
    }

    private mutating func read(_ key: ConfigurationKey, _ node: JSONNode) {
        switch key {
        case .schema: paths(key, node).map { configuration.schema = $0 }
        case .schemaExtensions: paths(key, node).map { configuration.schemaExtensions = $0 }
        case .schemaConfig: readSchemaConfig(node)
        case .documents: paths(key, node).map { configuration.documents = $0 }
        case .exclude: paths(key, node).map { configuration.exclude = $0 }
        case .output: readOutput(node)
        case .module: identifier("'module'", node).map { configuration.module = $0 }
        case .access: choice("'access'", node).map { configuration.access = $0 }
        case .documentation: choice("'documentation'", node).map { configuration.documentation = $0 }
        case .text: choice("'text'", node).map { configuration.text = $0 }
        case .persistConfig: readPersistence(node)
        case .scalars: readScalars(node)
        case .schemaCustomization: readSchemaCustomization(node)
        case .providers: readProviders(node)
        case .maxAge: readMaxAge(node)
        case .unstored: readUnstored(node)
        case .hashable: boolean("'hashable'", node).map { configuration.hashable = $0 }
        case .builders: boolean("'builders'", node).map { configuration.builders = $0 }
        case .buildersOutput: readBuildersOutput(node)
        case .warnings: readWarnings(node)
        case .limits: readLimits(node)
        }
    }

    // MARK: - Keys

    /// The value of a key that takes a string or a list of strings.
    private mutating func paths(_ key: ConfigurationKey, _ node: JSONNode) -> [Configuration.Entry]? {
        let items: [JSONNode]
        switch node.value {
        case .string: items = [node]
        case .array(let list): items = list
        default:
            reportType(of: "'\(key.rawValue)'", expected: "a string or a list of strings", node)
            return nil
        }
        if key == .schema, items.isEmpty {
            report(.configurationValue, "'schema' must name at least one file", at: node.span)
        }
        return items.compactMap { item -> Configuration.Entry? in
            guard case .string(let text) = item.value else {
                reportType(of: "an item of '\(key.rawValue)'", expected: "a string", item)
                return nil
            }
            do throws(Glob.Mistake) {
                _ = try Glob(text)
                return Configuration.Entry(text, span: item.span)
            } catch {
                report(.patternInvalid, error.message, at: item.span)
                return nil
            }
        }
    }

    private mutating func readOutput(_ node: JSONNode) {
        if reportForeignKeys(in: node, ForeignKeys.output) { return }
        guard let text = string("'output'", node) else { return }
        let entry = Configuration.Entry(text, span: node.span)
        let folder = AbsolutePath(text, relativeTo: configuration.directory)
        if text.isEmpty || Glob.isPattern(text) {
            report(.configurationValue, "'output' must be the path of one folder", at: node.span)
        } else if configuration.directory.isInside(folder) {
            report(
                .configurationValue,
                "'output' must be a folder of its own, not one that holds the configuration",
                at: node.span
            )
        } else if text.hasPrefix("/") || !folder.isInside(configuration.directory) {
            report(
                .configurationValue,
                "'output' must be a path below the folder of the configuration, not '\(text)'",
                at: node.span,
                suggestion: "generated files belong into a target; put the configuration above it"
            )
        } else {
            configuration.output = entry
        }
    }

    /// Builders belong to another target than the artifacts, so that their folder may lie elsewhere.
    private mutating func readBuildersOutput(_ node: JSONNode) {
        guard let text = string("'buildersOutput'", node) else { return }
        let folder = AbsolutePath(text, relativeTo: configuration.directory)
        if text.isEmpty || text.hasPrefix("/") || Glob.isPattern(text) {
            report(.configurationValue, "'buildersOutput' must be the relative path of one folder", at: node.span)
        } else if configuration.directory.isInside(folder) {
            report(
                .configurationValue,
                "'buildersOutput' must be a folder of its own, not one that holds the configuration", at: node.span)
        } else {
            configuration.buildersOutput = Configuration.Entry(text, span: node.span)
        }
    }

    /// The possible ages in seconds, up to ten years.
    private static let ages = 0...315_360_000

    private mutating func readMaxAge(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'maxAge'", expected: "an object", node)
            return
        }
        for member in members {
            if let seconds = integer(member, of: .maxAge, in: Self.ages) {
                configuration.maxAge[member.key] = .init(seconds: seconds, span: member.keySpan)
            }
        }
    }

    private mutating func readUnstored(_ node: JSONNode) {
        guard case .array(let items) = node.value else {
            reportType(of: "'unstored'", expected: "a list of strings", node)
            return
        }
        var known: Set<String> = []
        for item in items {
            guard let name = string("an item of 'unstored'", item) else { continue }
            if known.insert(name).inserted {
                configuration.unstored.append(Configuration.Entry(name, span: item.span))
            } else {
                report(.configurationValue, "'\(name)' is in 'unstored' twice", at: item.span)
            }
        }
    }

    private mutating func readWarnings(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'warnings'", expected: "an object", node)
            return
        }
        for member in members {
            switch DiagnosticID.findWarning(member.key) {
            case .found(let id):
                guard let text = string("'warnings.\(member.key)'", member.node) else { continue }
                if let level = WarningLevels.Level(rawValue: text) {
                    configuration.warnings[id] = level
                } else {
                    let levels = WarningLevels.Level.allCases.map(\.rawValue)
                    report(
                        .configurationValue,
                        "'warnings.\(member.key)' must be 'off', 'warning' or 'error', not '\(text)'",
                        at: member.node.span,
                        suggestion: Spelling.question(for: text, among: levels)
                    )
                }
            case .alwaysError:
                report(
                    .configurationKey,
                    "'\(member.key)' is always an error",
                    at: member.keySpan,
                    suggestion: "only the level of warnings can be chosen"
                )
            case .unknown(let question):
                report(
                    .configurationKey,
                    "there is no warning '\(member.key)'",
                    at: member.keySpan,
                    suggestion: question
                )
            }
        }
    }

    private mutating func readLimits(_ node: JSONNode) {
        guard case .object(let members) = node.value else {
            reportType(of: "'limits'", expected: "an object", node)
            return
        }
        for member in members {
            switch member.key {
            case "nesting":
                integer(member, of: .limits, in: ParserLimits.nestingChoices).map { configuration.limits.nesting = $0 }
            case "tokens":
                integer(member, of: .limits, in: ParserLimits.tokenChoices).map { configuration.limits.tokens = $0 }
            default: reportUnknownKey(member, among: ["nesting", "tokens"])
            }
        }
    }

    // MARK: - Values

    private mutating func integer(
        _ member: JSONNode.Member, of key: ConfigurationKey, in choices: ClosedRange<Int>
    ) -> Int? {
        let name = "'\(key.rawValue).\(member.key)'"
        guard case .number(let text) = member.node.value else {
            reportType(of: name, expected: "a number", member.node)
            return nil
        }
        if let value = Int(text), choices.contains(value) { return value }
        report(
            .configurationValue,
            "\(name) must be an integer from \(choices.lowerBound) to \(choices.upperBound), not \(text.count > 24 ? "this" : text)",
            at: member.node.span
        )
        return nil
    }

    mutating func string(_ name: String, _ node: JSONNode) -> String? {
        if case .string(let text) = node.value { return text }
        reportType(of: name, expected: "a string", node)
        return nil
    }

    /// A string that is one of the choices of an enum.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ node: JSONNode
    ) -> Choice? where Choice.RawValue == String {
        guard let text = string(name, node) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let quoted = names.map { "'\($0)'" }
        let list = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
        report(
            .configurationValue, "\(name) must be \(list), not '\(text)'", at: node.span,
            suggestion: Spelling.question(for: text, among: names))
        return nil
    }

    mutating func boolean(_ name: String, _ node: JSONNode) -> Bool? {
        if case .boolean(let value) = node.value { return value }
        reportType(of: name, expected: "true or false", node)
        return nil
    }

    mutating func identifier(_ name: String, _ node: JSONNode) -> String? {
        guard let text = string(name, node) else { return nil }
        let isIdentifier =
            text.first.map { $0.isLetter || $0 == "_" } ?? false
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        if isIdentifier { return text }
        report(.configurationValue, "\(name) must be the name of a module, not '\(text)'", at: node.span)
        return nil
    }

    /// A Swift type. The text is written into Swift sources, so that any text that is not a type is refused.
    mutating func swiftType(_ name: String, _ node: JSONNode) -> String? {
        guard let text = string(name, node) else { return nil }
        let isType =
            text.contains { $0.isLetter || $0 == "_" }
            && text.allSatisfy { $0.isLetter || $0.isNumber || "_.<>[]:, ?".contains($0) }
        if isType { return text }
        report(.configurationValue, "\(name) must be a Swift type, not '\(text)'", at: node.span)
        return nil
    }

    // MARK: - Reports

    mutating func reportUnknownKey(_ member: JSONNode.Member, among keys: [String]) {
        report(
            .configurationKey,
            "unknown key '\(member.key)'",
            at: member.keySpan,
            suggestion: Spelling.question(for: member.key, among: keys)
                ?? "known are " + keys.map { "'\($0)'" }.joined(separator: ", ")
        )
    }

    /// Reports a key of Relay's configuration that is not supported.
    mutating func reportRefusedKey(_ member: JSONNode.Member, of name: String, _ advice: String) {
        report(
            .configurationKey, "'\(name).\(member.key)' of Relay's configuration is not supported", at: member.keySpan,
            suggestion: advice)
    }

    mutating func reportType(of name: String, expected: String, _ node: JSONNode) {
        report(.configurationValue, "\(name) must be \(expected), not \(node.kind)", at: node.span)
    }

    mutating func report(_ id: DiagnosticID, _ message: String, at span: Span, suggestion: String? = nil) {
        diagnostics.append(Diagnostic(id, message, at: span, suggestion: suggestion))
    }
}
