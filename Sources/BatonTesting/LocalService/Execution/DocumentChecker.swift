import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Checks the rules on which execution relies: names exist, selections have the right form, input values and variables
/// fit, and fragments contain no cycles.
///
/// The messages are those of the best-known implementations. Rules that execution does not need, such as the one on
/// unused variables, are not checked. Of several fields that conflict under one response key, the first one is
/// executed.
///
/// `BatonValidation` cannot do this work. It checks an application's documents for their authors: it requires a name
/// for every operation, accepts Relay's directives and has messages of its own. A server accepts anonymous operations,
/// does not know Relay's directives and uses the messages that clients know. The checker also collects the variables
/// that decide conditions.
struct DocumentChecker {
    let schema: Schema
    let document: Document
    let fragments: [String: FragmentDefinition]
    /// The directives that the service knows although the schema does not declare them.
    let added: [String: SchemaDirective]
    private(set) var problems: [RequestProblem] = []
    private(set) var conditions: [[PreparedDocument.Condition]] = []
    private var fragmentUses: [String: Uses] = [:]

    /// The variables, spreads and conditions of a definition, without those of the fragments that it spreads.
    final class Uses {
        var variables: [(variable: Variable, type: TypeReference?)] = []
        var spreads: [FragmentSpread] = []
        var conditions: [PreparedDocument.Condition] = []
    }

    init(
        schema: Schema, document: Document, fragments: [String: FragmentDefinition], added: [String: SchemaDirective]
    ) {
        self.added = added
        self.schema = schema
        self.document = document
        self.fragments = fragments
    }

    mutating func check() {
        checkUniqueNames()
        for definition in document.definitions {
            switch definition {
            case .operation, .fragment: break
            default: report("The document contains a definition that is not executable.", definition.span)
            }
        }
        for fragment in document.fragments {
            let uses = Uses()
            checkDirectives(fragment.directives, uses)
            if let type = compositeType(fragment.typeCondition, inline: false, name: fragment.name.text) {
                check(fragment.selectionSet, on: type, uses)
            }
            if fragmentUses[fragment.name.text] == nil { fragmentUses[fragment.name.text] = uses }
        }
        checkCycles()
        for operation in document.operations { check(operation) }
    }

    private mutating func report(_ message: String, _ spans: Span...) {
        problems.append(RequestProblem(message, at: spans))
    }

    private mutating func checkUniqueNames() {
        var operations: [String: Span] = [:]
        for operation in document.operations {
            guard let name = operation.name else {
                if document.operations.count > 1 {
                    report("This anonymous operation must be the only defined operation.", operation.span)
                }
                continue
            }
            if let first = operations.updateValue(name.span, forKey: name.text) {
                report("There can be only one operation named \"\(name.text)\".", first, name.span)
            }
        }
        var fragments: [String: Span] = [:]
        for fragment in document.fragments {
            if let first = fragments.updateValue(fragment.name.span, forKey: fragment.name.text) {
                report("There can be only one fragment named \"\(fragment.name.text)\".", first, fragment.name.span)
            }
        }
    }

    // MARK: - Selections

    /// The recursion is as deep as the nesting of the text, which the parser limits.
    private mutating func check(_ selectionSet: SelectionSet, on parent: SchemaType, _ uses: Uses) {
        for selection in selectionSet.selections {
            checkDirectives(selection.directives, uses)
            switch selection {
            case .field(let field): check(field, on: parent, uses)
            case .fragmentSpread(let spread):
                guard fragments[spread.name.text] != nil else {
                    report("Unknown fragment \"\(spread.name.text)\".", spread.name.span)
                    continue
                }
                uses.spreads.append(spread)
            case .inlineFragment(let fragment):
                guard let condition = fragment.typeCondition else {
                    check(fragment.selectionSet, on: parent, uses)
                    continue
                }
                guard let type = compositeType(condition, inline: true, name: nil) else { continue }
                check(fragment.selectionSet, on: type, uses)
            }
        }
    }

    private mutating func compositeType(_ condition: Name, inline: Bool, name: String?) -> SchemaType? {
        guard let type = schema.type(named: condition.text) else {
            report("Unknown type \"\(condition.text)\".", condition.span)
            return nil
        }
        guard type.isComposite else {
            let fragment = name.map { "Fragment \"\($0)\"" } ?? "Fragment"
            report("\(fragment) cannot condition on non composite type \"\(condition.text)\".", condition.span)
            return nil
        }
        return type
    }

    private mutating func check(_ field: Field, on parent: SchemaType, _ uses: Uses) {
        guard let definition = schema.field(named: field.name.text, on: parent) else {
            let question = Spelling.question(for: field.name.text, among: parent.fields.map(\.name))
            let suffix = question.map { " " + $0.prefix(1).uppercased() + $0.dropFirst() } ?? ""
            report("Cannot query field \"\(field.name.text)\" on type \"\(parent.name)\".\(suffix)", field.span)
            return
        }
        let owner = "field \"\(parent.name).\(field.name.text)\""
        check(field.arguments, definition.arguments, owner, field.span, uses)
        let type = schema.namedType(of: definition.type)
        let name = field.name.text
        let typeText = schema.describe(definition.type)
        switch (type.isComposite, field.selectionSet) {
        case (true, let selectionSet?): check(selectionSet, on: type, uses)
        case (true, nil):
            report(
                "Field \"\(name)\" of type \"\(typeText)\" must have a selection of subfields."
                    + " Did you mean \"\(name) { ... }\"?",
                field.span
            )
        case (false, let selectionSet?):
            report(
                "Field \"\(name)\" must not have a selection since type \"\(typeText)\" has no subfields.",
                selectionSet.span
            )
        case (false, nil): break
        }
    }

    private mutating func checkDirectives(_ directives: [Directive], _ uses: Uses) {
        for directive in directives {
            guard let definition = definition(of: directive.name.text) else {
                report("Unknown directive \"@\(directive.name.text)\".", directive.span)
                continue
            }
            let owner = "directive \"@\(directive.name.text)\""
            check(directive.arguments, definition.arguments, owner, directive.span, uses)
            guard ["skip", "include"].contains(directive.name.text),
                case .variable(let variable) = directive.argument("if")
            else { continue }
            uses.conditions.append(.init(variable: variable.name, span: variable.span))
        }
    }

    /// The schema's directive of a name, or else one that the service adds.
    private func definition(of name: String) -> SchemaDirective? {
        if let own = schema.directive(named: name), own.origin != .relay { return own }
        return added[name]
    }

    // MARK: - Arguments

    private mutating func check(
        _ arguments: [Argument],
        _ definitions: [SchemaInputValue],
        _ owner: String,
        _ span: Span,
        _ uses: Uses
    ) {
        var seen: Set<String> = []
        for argument in arguments {
            let name = argument.name.text
            if !seen.insert(name).inserted {
                report("There can be only one argument named \"\(name)\".", argument.name.span)
            }
            guard let definition = definitions.first(where: { $0.name == name }) else {
                report("Unknown argument \"\(name)\" on \(owner).", argument.name.span)
                continue
            }
            check(argument.value, definition, uses)
        }
        for definition in definitions where definition.isRequired && !seen.contains(definition.name) {
            let type = schema.describe(definition.type)
            report(
                "Argument \"\(definition.name)\" of type \"\(type)\" is required on \(owner), but it was not provided.",
                span
            )
        }
    }

    private mutating func check(_ value: Value, _ definition: SchemaInputValue, _ uses: Uses) {
        let type = definition.defaultValue == nil ? definition.type : definition.type.nullable
        let coercion = LiteralCoercion(input: InputCoercion(schema: schema)) { variable, type throws(InputProblem) in
            uses.variables.append((variable, type))
            return .later
        }
        do {
            // An explicit null must fit the type without regard to the default value; a variable may rely on the
            // default value.
            let isVariable = if case .variable = value { true } else { false }
            _ = try coercion.coerce(value, to: isVariable ? type : definition.type)
        } catch {
            let place = error.path.isEmpty ? "" : " at \"\(definition.name)\(error.path)\""
            report("Argument \"\(definition.name)\" has an invalid value\(place): \(error.message)", value.span)
        }
    }

    // MARK: - Fragments and variables

    /// Finds fragments that contain themselves. The search does not recurse, because a client may send a chain of
    /// fragments of any length.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Spreads-Must-Not-Form-Cycles
    private mutating func checkCycles() {
        var done: Set<String> = []
        for start in document.fragments where !done.contains(start.name.text) {
            var active: Set<String> = [start.name.text]
            var stack = [(name: start.name.text, next: 0)]
            while let (name, next) = stack.last {
                let spreads = fragmentUses[name]?.spreads ?? []
                guard next < spreads.count else {
                    stack.removeLast()
                    active.remove(name)
                    done.insert(name)
                    continue
                }
                stack[stack.count - 1].next += 1
                let target = spreads[next].name.text
                if active.contains(target) {
                    report("Cannot spread fragment \"\(target)\" within itself.", spreads[next].span)
                } else if !done.contains(target) {
                    active.insert(target)
                    stack.append((target, 0))
                }
            }
        }
    }

    private mutating func check(_ operation: OperationDefinition) {
        let uses = Uses()
        checkDirectives(operation.directives, uses)
        if let root = schema.rootType(for: operation.kind) {
            check(operation.selectionSet, on: root, uses)
        } else {
            report("The schema does not define the \(operation.kind.rawValue) root type.", operation.span)
        }
        var definitions: [String: VariableDefinition] = [:]
        for variable in operation.variables {
            checkDirectives(variable.directives, uses)
            if definitions.updateValue(variable, forKey: variable.name.text) != nil {
                report("There can be only one variable named \"$\(variable.name.text)\".", variable.name.span)
            }
            check(variable)
        }
        var reached: Set<String> = []
        var open = [uses]
        var conditions: [PreparedDocument.Condition] = []
        while let uses = open.popLast() {
            for (variable, type) in uses.variables { check(variable, type, definitions, in: operation) }
            conditions += uses.conditions
            for spread in uses.spreads where reached.insert(spread.name.text).inserted {
                if let uses = fragmentUses[spread.name.text] { open.append(uses) }
            }
        }
        self.conditions.append(conditions)
    }

    private mutating func check(_ variable: VariableDefinition) {
        let name = variable.type.innermost
        guard let type = schema.type(named: name.text) else {
            return report("Unknown type \"\(name.text)\".", name.span)
        }
        guard type.isInput, let reference = schema.resolve(variable.type) else {
            return report(
                "Variable \"$\(variable.name.text)\" cannot be non-input type \"\(name.text)\".",
                variable.type.span
            )
        }
        guard let value = variable.defaultValue else { return }
        let coercion = LiteralCoercion(input: InputCoercion(schema: schema)) { _, _ throws(InputProblem) in
            throw InputProblem(message: "A default value cannot refer to a variable.")
        }
        do {
            _ = try coercion.coerce(value, to: reference)
        } catch {
            report(
                "Variable \"$\(variable.name.text)\" has an invalid default value: \(error.message)",
                value.span
            )
        }
    }

    /// Specification: https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
    private mutating func check(
        _ variable: Variable,
        _ expected: TypeReference?,
        _ definitions: [String: VariableDefinition],
        in operation: OperationDefinition
    ) {
        guard let definition = definitions[variable.name] else {
            let name = operation.name.map { " by operation \"\($0.text)\"" } ?? ""
            return report("Variable \"$\(variable.name)\" is not defined\(name).", variable.span, operation.span)
        }
        guard let expected, let type = schema.resolve(definition.type), schema.namedType(of: type).isInput else {
            return
        }
        let hasDefault = definition.defaultValue.map { !$0.isNull } ?? false
        let location = hasDefault && !type.isNonNull ? expected.nullable : expected
        if !schema.isSubtype(type, of: location) {
            report(
                "Variable \"$\(variable.name)\" of type \"\(schema.describe(type))\" used in position expecting type "
                    + "\"\(schema.describe(expected))\".",
                definition.span,
                variable.span
            )
        }
    }
}
