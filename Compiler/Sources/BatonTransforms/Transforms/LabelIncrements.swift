import BatonIR
import BatonSchema
import BatonSyntax

/// Gives a label to each part of an answer that arrives later.
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
/// A label consists of the name of the definition and the written label. Without a written label, the name of the
/// fragment or the response key takes its place, with the hash of the arguments. The arguments of the directive stand
/// in the order of the example, followed by `useCustomizedBatch`.
///
/// A field with `@stream_connection` is a connection whose edges are streamed and whose `pageInfo` is deferred. Its
/// `edges` get `@stream` and its `pageInfo` gets `@defer`. A missing `edges` or `pageInfo` is added, and `readable`
/// removes it again.
///
/// Runs after `Unmask`, because unmasked selections belong to the definition around them. `nameConnections` runs before
/// `Unmask`, because the label of a `pageInfo` has the name of the definition in which it was written.
/// `CheckIncrements` ensures that the directives stand in allowed places, and that no two parts have one label.
///
/// Reference: https://relay.dev/docs/glossary/#defer
struct LabelIncrements {
    private let schema: Schema
    private let definition: String

    static func apply(to program: Program) -> Program {
        guard program.hasIncrements else { return program }
        return program.mapDefinitions { name, selections in
            LabelIncrements(schema: program.schema, definition: name).transform(selections)
        }
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

    /// The nesting limits of the parser and of `CheckExtent` bound the recursion.
    private func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                label(&field)
                field.selections = transform(field.selections)
                if let directive = field.directives.named("stream_connection") { label(&field, directive) }
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread(var spread):
                label(&spread)
                return .spread(spread)
            }
        }
    }

    // MARK: - Fragments

    private func label(_ spread: inout TypedSpread) {
        guard let index = spread.directives.firstIndex(where: { $0.name.text == "defer" }) else { return }
        let directive = spread.directives[index]
        if directive.isSwitchedOff {
            spread.directives.remove(at: index)
            return
        }
        let label = directive.incrementLabel(default: spread.incrementName).text(in: definition)
        spread.directives[index].arguments = arguments(of: directive, label: label, [])
    }

    // MARK: - Lists

    private func label(_ field: inout TypedField) {
        guard let index = field.directives.firstIndex(where: { $0.name.text == "stream" }) else { return }
        let directive = field.directives[index]
        if directive.isSwitchedOff {
            field.directives.remove(at: index)
            return
        }
        let label = directive.incrementLabel(default: field.incrementName).text(in: definition)
        field.directives[index].arguments = arguments(
            of: directive, label: label, [Increment.countNames, Increment.batchNames])
    }

    // MARK: - Connections

    private func label(_ connection: inout TypedField, _ directive: Directive) {
        guard case .string(let key)? = directive.argument("key") else { return }
        let type = schema.namedType(of: connection.definition.type)
        if !directive.isSwitchedOff {
            let stream = Directive(
                name: Name("stream", span: directive.name.span),
                arguments: arguments(
                    of: directive, label: IncrementLabel(kind: "stream", name: key.text).text(in: definition),
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

    /// The arguments of Relay's directives. Other arguments belong to the server, and are sent unchanged.
    private static let relaysArguments = Set(
        ["label", "if", "key", "filters", "handler", "dynamicKey_UNSTABLE", "prefetchable_pagination"]
            + Increment.countNames + Increment.batchNames)

    /// The spelling of an argument in the server's schema, or else that of the specification.
    private func sentName(_ written: String, of names: [String]) -> String {
        let known = schema.definitionDirectives["stream"] ?? schema.directive(named: "stream")
        guard let definition = known, definition.origin == .schema else { return names.first ?? written }
        let declared = names.filter { definition.argument(named: $0) != nil }
        return declared.contains(written) ? written : declared.first ?? written
    }
}
