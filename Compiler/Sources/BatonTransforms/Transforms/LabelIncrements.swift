import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Gives each part of an answer that arrives later its label, and checks what asks for such parts.
///
/// Before:
///
///     query Films { films @stream(initialCount: 1) { ...Rank @defer(if: $slow) ...Cast @defer(if: false) } }
///
/// After:
///
///     query Films { films @stream(label: "Films$stream$films", initialCount: 1) {
///       ...Rank @defer(label: "Films$defer$Rank", if: $slow) ...Cast
///     } }
///
/// A label is made of the name of the definition and of the label as written. Without one it is made of the name of the
/// fragment or the response key, with the hash of the arguments. The arguments stand in the order of the example, then
/// `useCustomizedBatch`.
///
/// A field with `@stream_connection` is a connection whose edges are streamed and whose `pageInfo` is deferred. Its
/// `edges` get `@stream` and its `pageInfo` gets `@defer`; a missing one is added, and `readable` removes it again.
///
/// Runs after `Unmask`, because what is unmasked belongs to the definition around it. `nameConnections` runs before,
/// because the label of a `pageInfo` is that of the definition in which it was written.
///
/// Reference: https://relay.dev/docs/glossary/#defer
struct LabelIncrements {
    private let schema: Schema
    private var definition = ""
    /// What a server is asked for.
    private let content: FragmentContent
    /// Whether no server is asked for the selections that are visited.
    private var isClient = false
    private var labels: [String: Span] = [:]
    private var diagnostics: [Diagnostic] = []

    /// `ids` tells which fields will have an `id`, for which the server is asked.
    static func apply(to program: Program, _ ids: GenerateIDs) -> (program: Program, diagnostics: [Diagnostic]) {
        var transform = LabelIncrements(program, ids)
        let labelled = program.mapDefinitions { name, selections in
            transform.definition = name
            transform.isClient = program.fragment(named: name)?.type.isClientOnly == true
            return transform.transform(selections)
        }
        return (labelled, transform.diagnostics)
    }

    /// Writes the label of the deferred `pageInfo` into each `@stream_connection`.
    static func nameConnections(in program: Program) -> Program {
        func named(_ selections: [TypedSelection], _ definition: String) -> [TypedSelection] {
            selections.map { selection in
                switch selection {
                case .field(var field):
                    field.selections = named(field.selections, definition)
                    if let index = field.directives.firstIndex(where: { $0.name.text == "stream_connection" }),
                        case .string(let key)? = field.directives[index].argument("key")
                    {
                        field.directives[index].arguments.removeAll { $0.name.text == "label" }
                        let label = StringValue("\(definition)$defer$\(key.text)$pageInfo")
                        field.directives[index].arguments.append(
                            Argument(name: Name("label"), value: .string(label)))
                    }
                    return .field(field)
                case .inlineFragment(var inline):
                    inline.selections = named(inline.selections, definition)
                    return .inlineFragment(inline)
                case .spread: return selection
                }
            }
        }
        return program.mapDefinitions { named($1, $0) }
    }

    /// The program for readers: without the fields that were added to streamed connections.
    static func readable(_ program: Program) -> Program {
        func readable(_ selections: [TypedSelection]) -> [TypedSelection] {
            selections.compactMap { selection in
                switch selection {
                case .field(var field):
                    if field.isGenerated { return nil }
                    field.selections = readable(field.selections)
                    return .field(field)
                case .inlineFragment(var inline):
                    inline.selections = readable(inline.selections)
                    return .inlineFragment(inline)
                case .spread: return selection
                }
            }
        }
        return program.mapSelections(readable)
    }

    private init(_ program: Program, _ ids: GenerateIDs) {
        schema = program.schema
        content = FragmentContent(program, .serverWithoutIDs(ids))
    }

    /// The nesting limits of the parser and of `Unmask` bound the recursion.
    private mutating func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                label(&field)
                field.selections = transform(field.selections, isClient: field.definition.isClientOnly)
                if let directive = field.directives.named("stream_connection") { label(&field, directive) }
                return .field(field)
            case .inlineFragment(var inline):
                if let directive = inline.directives.named("defer") {
                    report(
                        "'@defer' cannot stand on an inline fragment, which has no reference that could be loading",
                        at: directive.name.span, "write a fragment, and spread it with '@defer'")
                }
                inline.selections = transform(inline.selections, isClient: inline.type?.isClientOnly == true)
                return .inlineFragment(inline)
            case .spread(var spread):
                label(&spread)
                return .spread(spread)
            }
        }
    }

    private mutating func transform(_ selections: [TypedSelection], isClient: Bool) -> [TypedSelection] {
        let outer = self.isClient
        self.isClient = outer || isClient
        defer { self.isClient = outer }
        return transform(selections)
    }

    /// Whether no server is asked for what the directive stands at, which is a mistake: that part never comes.
    private mutating func refuse(_ directive: Directive, onClient isClient: Bool) -> Bool {
        guard isClient else { return false }
        let message = "'@\(directive.name.text)' stands where no server is asked, so there is nothing to wait for"
        report(message, at: directive.name.span, "leave it out")
        return true
    }

    // MARK: - Fragments

    private mutating func label(_ spread: inout TypedSpread) {
        guard let index = spread.directives.firstIndex(where: { $0.name.text == "defer" }) else { return }
        let directive = spread.directives[index]
        if directive.isSwitchedOff {
            spread.directives.remove(at: index)
            return
        }
        if refuse(directive, onClient: isClient || content.emptyFragments.contains(spread.fragment)) { return }
        checkIsDeclared(directive)
        let name = spread.fragment + ArgumentHash.suffix(of: spread.arguments)
        spread.directives[index].arguments = arguments(of: directive, label: label(directive, name), [])
    }

    // MARK: - Lists

    private mutating func label(_ field: inout TypedField) {
        guard let index = field.directives.firstIndex(where: { $0.name.text == "stream" }) else { return }
        let directive = field.directives[index]
        if !schema.namedType(of: field.definition.type).isComposite || !field.definition.type.isList {
            let message = "'@stream' stands on a list of objects, and '\(field.responseKey)' is none"
            return report(message, at: directive.name.span, "leave it out")
        }
        if directive.isSwitchedOff {
            field.directives.remove(at: index)
            return
        }
        let isUnasked = isClient || field.definition.isClientOnly || !content.hasContent(field)
        if refuse(directive, onClient: isUnasked) { return }
        checkIsDeclared(directive)
        checkCount(directive, "items", "write '@stream(initialCount: 1)'")
        let name = field.responseKey + ArgumentHash.suffix(of: field.arguments)
        field.directives[index].arguments = arguments(
            of: directive, label: label(directive, name), [Increment.countNames, Increment.batchNames])
    }

    // MARK: - Connections

    private mutating func label(_ connection: inout TypedField, _ directive: Directive) {
        checkCount(directive, "edges", "write 'initial_count: 1'")
        let isUnasked = isClient || connection.definition.isClientOnly
        if !directive.isSwitchedOff, refuse(directive, onClient: isUnasked) { return }
        guard case .string(let key)? = directive.argument("key") else { return }
        checkIsDeclared(directive)
        let type = schema.namedType(of: connection.definition.type)
        if !directive.isSwitchedOff {
            let stream = Directive(
                name: Name("stream", span: directive.name.span),
                arguments: arguments(
                    of: directive, label: label(directive, "stream", key.text),
                    [Increment.countNames, Increment.batchNames]))
            AddConnectionFields.add(to: &connection.selections, schema.names.edges, on: type, schema) {
                $0.directives.append(stream)
            }
        }
        guard case .string(let label)? = directive.argument("label") else { return }
        let later = Directive(
            name: Name("defer", span: directive.name.span),
            arguments: arguments(of: directive, label: label.text, []))
        AddConnectionFields.add(to: &connection.selections, schema.names.pageInfo, on: type, schema) {
            $0.directives.append(later)
        }
    }

    // MARK: - Parts

    /// The arguments in the order in which they are sent.
    private func arguments(of directive: Directive, label: String, _ others: [[String]]) -> [Argument] {
        let condition = directive.arguments.first { $0.name.text == "if" }
        let label = Argument(name: Name("label"), value: .string(StringValue(label)))
        let known = Self.relaysArguments
        let servers = directive.arguments.filter { !known.contains($0.name.text) }
        return [label] + [condition].compactMap(\.self)
            + others.compactMap { names in
                guard var argument = directive.arguments.first(where: { names.contains($0.name.text) }) else {
                    return nil
                }
                argument.name = Name(sentName(argument.name.text, of: names), span: argument.name.span)
                return argument
            } + servers
    }

    /// The arguments of Relay's directives; any other is one of the server's, which is sent as it is.
    private static let relaysArguments = Set(
        ["label", "if", "key", "filters", "handler", "dynamicKey_UNSTABLE", "prefetchable_pagination"]
            + Increment.countNames + Increment.batchNames)

    /// The spelling of an argument that the server's schema declares; the specification's if it declares none.
    private func sentName(_ written: String, of names: [String]) -> String {
        let known = schema.definitionDirectives["stream"] ?? schema.directive(named: "stream")
        guard let definition = known, definition.origin == .schema else { return names.first ?? written }
        let declared = names.filter { definition.argument(named: $0) != nil }
        return declared.contains(written) ? written : declared.first ?? written
    }

    private mutating func label(_ directive: Directive, _ name: String) -> String {
        var label = name
        if case .string(let given)? = directive.argument("label") { label = given.text }
        return self.label(directive, directive.name.text, label)
    }

    private mutating func label(_ directive: Directive, _ kind: String, _ name: String) -> String {
        let label = "\(definition)$\(kind)$\(name)"
        if let other = labels.updateValue(directive.name.span, forKey: label), other != directive.name.span {
            diagnostics.append(
                Diagnostic(
                    .invalidIncrement, "another part of '\(definition)' has the label '\(name)'",
                    at: directive.name.span, notes: [.init("the other part is here", at: other)],
                    suggestion: "give the part a 'label' of its own"))
        }
        return label
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

    private mutating func checkIsDeclared(_ directive: Directive) {
        let names = directive.name.text == "stream_connection" ? ["defer", "stream"] : [directive.name.text]
        for name in names where schema.directive(named: name)?.origin == .relay {
            let lacksLabel = schema.definitionDirectives[name] != nil
            let message =
                lacksLabel
                ? "the server's schema declares '@\(name)' without 'label', which is sent"
                : "the server's schema does not declare '@\(name)', which is sent"
            let suggestion =
                lacksLabel
                ? "add 'label: String' to its declaration if the server knows it"
                : "declare it in the schema if the server delivers parts; otherwise leave it out"
            diagnostics.append(
                Diagnostic(
                    .undeclaredDirective, severity: .warning, message, at: directive.name.span, suggestion: suggestion))
        }
    }

    private mutating func report(_ message: String, at span: Span, _ suggestion: String) {
        diagnostics.append(Diagnostic(.invalidIncrement, message, at: span, suggestion: suggestion))
    }
}

extension Directive {
    /// Whether the literal `if: false` switches the directive off.
    var isSwitchedOff: Bool {
        if case .boolean(let value)? = argument("if") { !value.isTrue } else { false }
    }

    /// The number of items that come at once; nil if none is given.
    fileprivate var initialCount: Value? {
        arguments.first { Increment.countNames.contains($0.name.text) && !$0.value.isNull }?.value
    }
}
