import BatonDiagnostics
import BatonSyntax

/// The directives at one place of a schema.
struct DirectiveUse {
    let directives: [Directive]
    let location: DirectiveLocation
    /// Whether the place is a scalar of the specification.
    let isBuiltIn: Bool
}

extension SchemaBuilder {
    mutating func noteUses(_ directives: [Directive], at location: DirectiveLocation, isBuiltIn: Bool = false) {
        if directives.isEmpty || directives.allSatisfy({ $0.name.span.source == .predeclared }) { return }
        directiveUses.append(DirectiveUse(directives: directives, location: location, isBuiltIn: isBuiltIn))
    }

    /// Checks directives on definitions: each directive is known, stands at an allowed location, occurs once unless it
    /// is repeatable, and gets the arguments that it defines.
    ///
    /// An unknown directive is a warning, because it often concerns only the server. An unknown name without similar
    /// names is reported at its first use only.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Type-System.Directives
    mutating func checkDirectiveUses(in schema: Schema) {
        var mentioned: Set<String> = []
        var known: [DirectiveLocation: [String]] = [:]
        for directive in schema.directives.values {
            for location in directive.locations { known[location, default: []].append(directive.name) }
        }
        for use in directiveUses {
            var seen: [String: Span] = [:]
            for directive in use.directives where directive.name.span.source != .predeclared {
                let name = directive.name.text
                guard let definition = definition(of: name, at: use.location, in: schema) else {
                    let isRelays = schema.directives[name] != nil
                    reportUnknown(directive, among: isRelays ? [] : known[use.location] ?? [], &mentioned)
                    continue
                }
                if let first = seen[name], !definition.isRepeatable {
                    report(
                        .duplicateDirective,
                        "directive '@\(name)' stands twice in one place",
                        at: directive.name.span,
                        notes: [.init("first here", at: first)]
                    )
                    continue
                }
                seen[name] = directive.name.span
                guard checkLocation(of: directive, definition, use), !definition.hasUncheckedArguments else { continue }
                checkArguments(of: directive, definition, in: schema)
            }
        }
    }

    /// The definition of a directive on a definition; Relay's directives for documents do not count.
    private func definition(
        of name: String,
        at location: DirectiveLocation,
        in schema: Schema
    ) -> SchemaDirective? {
        guard let found = schema.definitionDirectives[name] ?? schema.directives[name] else { return nil }
        return found.origin == .relay && !found.locations.contains(location) ? nil : found
    }

    private mutating func reportUnknown(
        _ directive: Directive,
        among candidates: [String],
        _ mentioned: inout Set<String>
    ) {
        let name = directive.name.text
        let suggestions = Spelling.suggestions(for: name, among: candidates)
        guard mentioned.insert(name).inserted || !suggestions.isEmpty else { return }
        let message = "unknown directive '@\(name)'"
        var diagnostic = Diagnostic.unknown(
            .unknownSchemaDirective,
            message,
            directive.name,
            sign: "@",
            meant: suggestions
        )
        diagnostic.severity = .warning
        report(diagnostic)
    }

    private mutating func checkLocation(
        of directive: Directive,
        _ definition: SchemaDirective,
        _ use: DirectiveUse
    ) -> Bool {
        let name = directive.name.text
        if use.isBuiltIn, name == "specifiedBy" {
            report(.misplacedDirective, "a built-in scalar cannot have '@specifiedBy'", at: directive.name.span)
            return false
        }
        if definition.locations.contains(use.location) { return true }
        let allowed = DirectiveLocation.allCases.filter(definition.locations.contains).map(\.rawValue)
        report(
            .misplacedDirective,
            "directive '@\(name)' cannot stand on \(use.location.rawValue)",
            at: directive.name.span,
            notes: [.init("defined here", at: definition.span)],
            suggestion: "it may stand on \(allowed.joined(separator: ", "))"
        )
        return false
    }

    // MARK: - Arguments

    private mutating func checkArguments(of directive: Directive, _ definition: SchemaDirective, in schema: Schema) {
        let name = "@" + directive.name.text
        var given: [String: Span] = [:]
        var unknown: [Name] = []
        for argument in directive.arguments {
            let written = argument.name.text
            if let first = given[written] {
                report(
                    .duplicateArgument,
                    "argument '\(written)' is given twice",
                    at: argument.name.span,
                    notes: [.init("first given here", at: first)]
                )
                continue
            }
            given[written] = argument.name.span
            if let known = definition.argument(named: written) {
                checkConstant(argument.value, known.type, in: schema)
            } else {
                unknown.append(argument.name)
            }
        }
        var missing = definition.arguments.filter { $0.isRequired && given[$0.name] == nil }
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: definition.arguments.map(\.name),
                given: Array(given.keys),
                missing: missing.map(\.name)
            )
            for argument in unknown where !brokenMembers.contains(Member(owner: name, name: argument.text)) {
                let message = "unknown argument '\(argument.text)' of directive '\(name)'"
                report(
                    .unknown(.unknownArgument, message, argument, meant: meant.names(for: argument.text)))
            }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        for argument in missing {
            report(
                .missingArgument,
                "directive '\(name)' needs argument '\(argument.name)' of type '\(schema.describe(argument.type))'",
                at: directive.name.span,
                notes: [.init("declared here", at: argument.span)]
            )
        }
    }
}
