import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Walks through definitions with the types of the schema, and calls the rules at each node.
///
/// Below an unknown type, the walk goes on without a type: the mistake has been reported, but variables and spreads
/// below still count. One thread uses a traversal; `visitDefinitions` makes one for each part of the definitions.
final class Traversal {
    let schema: Schema
    let settings: ValidationSettings
    let rules = RulesByPlace.all
    var definitions = DefinitionTable()
    var diagnostics: [Diagnostic] = []

    /// The types that variables may have, without those of introspection; computed for the first misspelled type.
    private(set) lazy var inputTypeNames = schema.types.filter { $0.isInput && !$0.name.hasPrefix("__") }.map(\.name)

    /// The facts about the current definition.
    var facts = DefinitionFacts()
    /// The arguments of the current fragment.
    var localArguments: [String: FragmentArgument]?
    var currentVariables: [VariableDefinition] = []
    var currentDocument = 0
    /// Whether the current fragment may have arguments that could not be parsed.
    var mayDeclareMore = false
    /// The number of the current fragment, or -1.
    var currentFragment: Int32 = -1
    /// The argument to which the visited value is passed; nil for values that no spread passes.
    var passingTarget: PassingTarget?
    /// Whether a variable of the fragment itself has occurred since this flag was reset.
    var metLocalVariable = false
    /// Diagnostics about variables that do not fit, by the place of their use.
    var unfitUsages: [Span: [Int]] = [:]
    /// Diagnostics about variables that do not fit, by the variable.
    var unfitVariables: [UnfitVariable: Int] = [:]
    /// Spreads of missing fragments, which are reported at the end.
    var unknownSpreads: [UnknownSpread.Key: UnknownSpread] = [:]
    /// Fragments that are not reported as unused: a misspelled spread may mean them, or they are on a reported cycle.
    var excusedFragments: Set<String> = []
    /// Arguments that a misspelled name may mean, by the number of their fragment.
    var excusedArguments: [Int: Set<String>] = [:]
    /// Arguments that fragments do not declare, which are reported at the end.
    var unknownFragmentArguments: [UnknownFragmentArgument] = []
    /// Variables that fragments use and an operation does not define.
    var undefinedInFragments: Set<UnknownFragmentArgument.Key> = []
    /// Variables that operations use and do not define, with their diagnostics.
    var undefined = UndefinedVariables()
    /// Variables of the current operation that are not reported as unused, because a misspelled name may mean them.
    var excusedVariables: Set<String> = []
    /// The number of fragments and uses that may still be visited while operations are followed through their
    /// fragments.
    var stepsLeft = 0

    init(schema: Schema, settings: ValidationSettings = .init(), definitions: DefinitionTable = DefinitionTable()) {
        self.schema = schema
        self.settings = settings
        self.definitions = definitions
    }

    func report(
        _ id: DiagnosticID,
        severity: Severity = .error,
        _ message: String,
        at span: Span,
        notes: [Diagnostic.Note] = [],
        suggestion: String? = nil,
        fix: Diagnostic.Fix? = nil
    ) {
        diagnostics.append(
            Diagnostic(id, severity: severity, message, at: span, notes: notes, suggestion: suggestion, fix: fix)
        )
    }

    /// Reports an unknown name and asks about similar names; the span contains `sign` before the name.
    func reportUnknown(
        _ id: DiagnosticID,
        _ message: String,
        _ name: Name,
        sign: String = "",
        notes: [Diagnostic.Note] = [],
        meant names: [String]
    ) {
        diagnostics.append(.unknown(id, message, name, sign: sign, notes: notes, meant: names))
    }

    /// Counts the steps of following an operation through its fragments. Returns false, after one report, when the
    /// documents need so many steps that they may be an attack.
    func mayFollow(_ operation: OperationDefinition, steps: Int) -> Bool {
        if stepsLeft < 0 { return false }
        stepsLeft -= steps
        if stepsLeft >= 0 { return true }
        reportLimit(
            .fragmentLimit, "the operations reach too many fragments to follow them all", at: operation.headSpan)
        return false
    }

    /// Reports that documents are not checked to the end.
    func reportLimit(_ id: DiagnosticID, _ message: String, at span: Span) {
        if settings.reportsLimits { report(id, message, at: span) }
    }

    // MARK: - Definitions

    /// Collects the definitions. Only their types are checked, and that they belong in documents.
    func collect(_ documents: [Document]) {
        for (number, document) in documents.enumerated() {
            if document.isIncomplete { definitions.incompleteDocuments.insert(number) }
            for definition in document.definitions {
                switch definition {
                case .operation(let operation):
                    definitions.hasBrokenDefinitions = definitions.hasBrokenDefinitions || operation.isBroken
                    definitions.operations.append(OperationFacts(definition: operation, document: number))
                case .fragment(let fragment):
                    definitions.hasBrokenDefinitions = definitions.hasBrokenDefinitions || fragment.isBroken
                    definitions.append(
                        FragmentFacts(
                            definition: fragment,
                            document: number,
                            // The parser has reported a missing type.
                            type: fragment.isBroken ? nil : compositeType(fragment.typeCondition),
                            arguments: fragmentArguments(of: fragment),
                            mayDeclareMore: fragment.isBroken
                                || fragment.directives.contains { schema.directive(named: $0.name.text) == nil }
                        )
                    )
                case .schema, .type, .directive:
                    for case .definition(let look) in rules.definition { look(self, definition) }
                }
            }
        }
        stepsLeft = 30_000_000 + 500 * (definitions.operations.count + definitions.fragments.count)
    }

    /// Visits one operation and returns the facts about it.
    func visitOperation(_ index: Int) -> DefinitionFacts {
        facts = DefinitionFacts()
        if definitions.operations[index].definition.isBroken { return facts }
        currentDocument = definitions.operations[index].document
        visit(definitions.operations[index].definition)
        return facts
    }

    /// Visits one fragment and returns the facts about it.
    func visitFragment(_ index: Int) -> DefinitionFacts {
        facts = DefinitionFacts()
        if definitions.fragments[index].definition.isBroken { return facts }
        localArguments = definitions.fragments[index].arguments
        mayDeclareMore = definitions.fragments[index].mayDeclareMore
        currentDocument = definitions.fragments[index].document
        currentFragment = Int32(truncatingIfNeeded: index)
        visit(definitions.fragments[index].definition.directives, at: .fragmentDefinition)
        facts.root = visit(definitions.fragments[index].definition.selectionSet, on: definitions.fragments[index].type)
        localArguments = nil
        mayDeclareMore = false
        currentFragment = -1
        return facts
    }

    private func visit(_ operation: OperationDefinition) {
        for case .operation(let look) in rules.operation { look(self, operation) }
        for variable in operation.variables {
            for case .variable(let look) in rules.variable { look(self, variable) }
            if let value = variable.defaultValue { visit(value, inputType(of: variable)) }
            visit(variable.directives, at: .variableDefinition)
        }
        let location: DirectiveLocation
        switch operation.kind {
        case .query: location = .query
        case .mutation: location = .mutation
        case .subscription: location = .subscription
        }
        currentVariables = operation.variables
        visit(operation.directives, at: location)
        facts.root = visit(operation.selectionSet, on: schema.rootType(for: operation.kind))
        currentVariables = []
    }

    // MARK: - Selections

    /// Visits a selection set that is a set of its own for merging.
    private func visit(_ selectionSet: SelectionSet, on parent: SchemaType?) -> Int32 {
        let mark = definitions.selections.beginSet()
        visitSelections(selectionSet, on: parent)
        return definitions.selections.finishSet(mark, in: currentFragment)
    }

    private func visitSelections(_ selectionSet: SelectionSet, on parent: SchemaType?) {
        for selection in meantSelections(of: selectionSet, on: parent) {
            switch selection {
            case .field(let field): visit(field, on: parent)
            case .fragmentSpread(let spread): visit(spread, on: parent)
            case .inlineFragment(let fragment): visit(fragment, on: parent)
            }
        }
    }

    /// Visits a field. Only this function and the ones above call each other recursively, and they have few variables.
    /// The deepest text that the parser allows therefore fits on a small stack.
    private func visit(_ field: Field, on parent: SchemaType?) {
        let head = checkHead(of: field, on: parent)
        var children: Int32 = -1
        if let selectionSet = field.selectionSet { children = visit(selectionSet, on: head.compositeType) }
        if let parent { addEntry(field, head, on: parent, children: children) }
    }

    /// Facts about a field before its selection set is visited.
    private struct FieldHead {
        var definition: SchemaField?
        /// The type of the selection set, if the field may have one.
        var compositeType: SchemaType?
        var usesLocalVariables = false
        /// Whether the arguments have a reported mistake.
        var hasWrongArguments = false
    }

    private func checkHead(of field: Field, on parent: SchemaType?) -> FieldHead {
        let definition = parent.flatMap { schema.field(named: field.name.text, on: $0) }
        if let parent, definition == nil {
            if let spread = spread(meantBy: field, on: parent) {
                visit(spread, on: parent)
                return FieldHead()
            }
        } else if let parent, let reason = definition?.deprecation {
            askDeprecated("field '\(field.name.text)' of type '\(parent.name)'", reason, at: field.name.span)
        }
        if let parent {
            for case .field(let look) in rules.field { look(self, field, parent, definition) }
        }
        metLocalVariable = false
        let reportCount = diagnostics.count
        if let definition {
            visit(field.arguments, definition.arguments, of: .field(field.name))
        } else {
            visitUntyped(field.arguments)
        }
        let usesLocalVariables = metLocalVariable
        let hasWrongArguments = diagnostics.count > reportCount && diagnostics[reportCount...].hasErrors
        visit(field.directives, at: .field)
        guard let definition else { return FieldHead() }
        let type = schema.namedType(of: definition.type)
        return FieldHead(
            definition: definition,
            compositeType: type.isComposite ? type : nil,
            usesLocalVariables: usesLocalVariables,
            hasWrongArguments: hasWrongArguments
        )
    }

    private func addEntry(_ field: Field, _ head: FieldHead, on parent: SchemaType, children: Int32) {
        guard let definition = head.definition else { return }
        let name = definitions.selections.intern(field.name.text)
        definitions.selections.addEntry(
            SelectionTable.Entry(
                key: field.alias.map { definitions.selections.intern($0.text) } ?? name,
                name: name,
                parent: parent.id,
                isParentObject: parent.kind == .object,
                type: definition.type,
                children: children,
                // A field of the client is not sent, so that a null argument means the same as a missing one.
                arguments: definitions.selections.add(
                    definition.isClientOnly ? field.arguments.filter { !$0.value.isNull } : field.arguments),
                fragment: currentFragment,
                scope: head.usesLocalVariables ? currentFragment : -1,
                hasWrongArguments: head.hasWrongArguments,
                isStreamed: field.directives.contains { $0.name.text == "stream" },
                span: field.responseKey.span
            )
        )
    }

    private func visit(_ spread: FragmentSpread, on parent: SchemaType?) {
        let index = definitions.fragment(named: spread.name.text, spreadIn: currentDocument)
        for case .spread(let look) in rules.spread { look(self, spread, index) }
        if let index {
            facts.spreads.append(SpreadUse(fragment: index, span: spread.name.span))
            definitions.selections.addSpread(index)
            if let parent, let type = definitions.fragments[index].type {
                for case .applied(let look) in rules.applied {
                    look(self, type, parent, spread.name.text, spread.name.span)
                }
            }
        } else {
            facts.hasUnknownSpread = true
        }
        visit(spread.directives, at: .fragmentSpread, target: index)
    }

    private func visit(_ fragment: InlineFragment, on parent: SchemaType?) {
        let type = checkHead(of: fragment, on: parent)
        visitSelections(fragment.selectionSet, on: type)
    }

    /// Returns the type of the selection set.
    private func checkHead(of fragment: InlineFragment, on parent: SchemaType?) -> SchemaType? {
        var type = parent
        if let condition = fragment.typeCondition {
            type = compositeType(condition)
            if let type, let parent {
                for case .applied(let look) in rules.applied { look(self, type, parent, nil, condition.span) }
            }
        }
        visit(fragment.directives, at: .inlineFragment)
        return type
    }

    /// The type of a type condition; nil if it is unknown or has no fields to select.
    private func compositeType(_ condition: Name) -> SchemaType? {
        let type = schema.type(named: condition.text)
        for case .typeCondition(let look) in rules.typeCondition { look(self, condition, type) }
        return type.flatMap { $0.isComposite ? $0 : nil }
    }

    // MARK: - Directives

    /// Visits the directives of one place; `target` is the fragment if the place is a spread.
    func visit(_ directives: [Directive], at location: DirectiveLocation, target: Int? = nil) {
        if directives.isEmpty { return }
        for case .directives(let look) in rules.directives { look(self, directives) }
        let passing = directives.count < 2 ? 0 : directives.count { Self.passesArguments($0) }
        for directive in directives {
            let definition = schema.directive(named: directive.name.text)
            let place = PlacedDirective(
                directive: directive, definition: definition, location: location, target: target,
                passesAlone: passing < 2)
            for case .directive(let look) in rules.directive { look(self, place) }
            guard let definition, !definition.hasUncheckedArguments else {
                visitUntyped(directive.arguments)
                continue
            }
            if definition.takesAnyArgument {
                for case .fragmentArguments(let look) in rules.fragmentArguments { look(self, place) }
            } else {
                visit(directive.arguments, definition.arguments, of: .directive(directive.name))
            }
        }
    }
}
