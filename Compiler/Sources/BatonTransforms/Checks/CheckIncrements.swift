import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let increments = DocumentCheck(
        .mistake, "CheckIncrements", [.invalidIncrement], .unmasked { CheckIncrements.check($0.program, $0.keys) })
}

/// Checks the directives for parts of an answer that arrive later.
///
/// - `@defer` stands on a spread, and `@stream` on a list of objects. The server is asked for selections there.
/// - `@stream` and `@stream_connection` have a number of items that come at once, which is not negative.
/// - No two parts of a definition have one label. An unmasked fragment belongs to the definition around it.
///
/// Reference: https://relay.dev/docs/glossary/#defer
struct CheckIncrements {
    private let schema: Schema
    private var definition = ""
    /// The fragments with selections for the server.
    private let content: FragmentContent
    /// Whether the visited selections are for the client alone.
    private var isClient = false
    /// The places of the labels of the definition.
    private var labels: [String: Span] = [:]
    private var diagnostics: [Diagnostic] = []

    /// Checks a program. The keys tell which fields get an identifier, for which the server is asked.
    fileprivate static func check(_ program: Program, _ keys: KeyFields) -> [Diagnostic] {
        guard program.hasIncrements else { return [] }
        var check = CheckIncrements(program, GenerateIDs(schema: program.schema, keys: keys))
        for operation in program.operations { check.visit(operation.selections, in: operation.name, isClient: false) }
        for fragment in program.fragments {
            check.visit(fragment.selections, in: fragment.name, isClient: fragment.type.isClientOnly)
        }
        return check.diagnostics
    }

    private init(_ program: Program, _ ids: GenerateIDs) {
        schema = program.schema
        content = FragmentContent(program, .serverWithoutIDs(ids))
    }

    private mutating func visit(_ selections: [TypedSelection], in definition: String, isClient: Bool) {
        self.definition = definition
        self.isClient = isClient
        labels = [:]
        visit(selections)
    }

    /// The nesting limits of the parser and of `CheckExtent` bound the recursion.
    private mutating func visit(_ selections: [TypedSelection]) {
        for selection in selections {
            switch selection {
            case .field(let field):
                visitList(field)
                visit(field.selections, isClient: field.definition.isClientOnly)
                if let directive = field.directives.named("stream_connection") { visit(field, directive) }
            case .inlineFragment(let inline):
                if let directive = inline.directives.named("defer") {
                    report(
                        "'@defer' cannot stand on an inline fragment, which has no reference that could be loading",
                        at: directive.name.span, "write a fragment, and spread it with '@defer'")
                }
                visit(inline.selections, isClient: inline.type?.isClientOnly == true)
            case .spread(let spread): visit(spread)
            }
        }
    }

    private mutating func visit(_ selections: [TypedSelection], isClient: Bool) {
        let outer = self.isClient
        self.isClient = outer || isClient
        defer { self.isClient = outer }
        visit(selections)
    }

    private mutating func visit(_ spread: TypedSpread) {
        guard let directive = spread.directives.named("defer"), !directive.isSwitchedOff else { return }
        if refuse(directive, onClient: isClient || content.emptyFragments.contains(spread.fragment)) { return }
        take(directive.incrementLabel(default: spread.incrementName), directive)
    }

    private mutating func visitList(_ field: TypedField) {
        guard let directive = field.directives.named("stream") else { return }
        if !schema.namedType(of: field.definition.type).isComposite || !field.definition.type.isList {
            let message = "'@stream' stands on a list of objects, and '\(field.responseKey)' is none"
            return report(message, at: directive.name.span, "leave it out")
        }
        if directive.isSwitchedOff { return }
        let isUnasked = isClient || field.definition.isClientOnly || !content.hasContent(field)
        if refuse(directive, onClient: isUnasked) { return }
        checkCount(directive, "items", "write '@stream(initialCount: 1)'")
        take(directive.incrementLabel(default: field.incrementName), directive)
    }

    private mutating func visit(_ connection: TypedField, _ directive: Directive) {
        checkCount(directive, "edges", "write 'initial_count: 1'")
        if directive.isSwitchedOff { return }
        if refuse(directive, onClient: isClient || connection.definition.isClientOnly) { return }
        guard case .string(let key)? = directive.argument("key") else { return }
        take(IncrementLabel(kind: "stream", name: key.text), directive)
    }

    // MARK: - Mistakes

    /// Reports a directive on selections for the client alone, because that part never arrives. Returns whether it did.
    private mutating func refuse(_ directive: Directive, onClient isClient: Bool) -> Bool {
        guard isClient else { return false }
        let message = "'@\(directive.name.text)' stands where no server is asked, so there is nothing to wait for"
        report(message, at: directive.name.span, "leave it out")
        return true
    }

    /// Checks that no other part of the definition has the label.
    private mutating func take(_ label: IncrementLabel, _ directive: Directive) {
        let place = directive.name.span
        guard let other = labels.updateValue(place, forKey: label.text(in: definition)), other != place else { return }
        diagnostics.append(
            Diagnostic(
                .invalidIncrement, "another part of '\(definition)' has the label '\(label.name)'", at: place,
                notes: [.init("the other part is here", at: other)],
                suggestion: "give the part a 'label' of its own"))
    }

    /// Checks the number of items that come at once.
    private mutating func checkCount(_ directive: Directive, _ items: String, _ suggestion: String) {
        let name = directive.name.text
        guard let count = directive.initialCount else {
            let message = "'@\(name)' needs the number of \(items) that come at once"
            return report(message, at: directive.name.span, suggestion)
        }
        if case .int(let number) = count, number.text.hasPrefix("-"), number.text != "-0" {
            report("'@\(name)' cannot bring \(number.text) \(items) at once", at: count.span, "write 0 or more")
        }
    }

    private mutating func report(_ message: String, at span: Span, _ suggestion: String) {
        diagnostics.append(Diagnostic(.invalidIncrement, message, at: span, suggestion: suggestion))
    }
}

extension Directive {
    /// The number of items that come at once; nil if none is given.
    fileprivate var initialCount: Value? {
        arguments.first { Increment.countNames.contains($0.name.text) && !$0.value.isNull }?.value
    }
}
