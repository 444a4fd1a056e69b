import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Walks through definitions with the schema's types at hand, and asks the rules at each node.
///
/// Where a type is unknown it goes on without: what is wrong there was said, and variables and spreads below still
/// count. Used by one thread; `visitDefinitions` makes one for each part of the definitions.
final class Traversal {
    let schema: Schema
    let rules = RulesByPlace.all
    var definitions = DefinitionTable()
    var diagnostics: [Diagnostic] = []

    /// The types that variables may have, those of introspection left out; made when the first is misspelled.
    private(set) lazy var inputTypeNames = schema.types.filter { $0.isInput && !$0.name.hasPrefix("__") }.map(\.name)

    /// What the definition that is being visited contains.
    var facts = DefinitionFacts()
    /// The arguments of the fragment that is being visited.
    var localArguments: [String: FragmentArgument]?
    /// The variables of the operation whose selections are being visited.
    var currentVariables: [VariableDefinition] = []
    /// The number of the document with the definition that is being visited.
    var currentDocument = 0
    /// Whether that fragment may have arguments that could not be read.
    var mayDeclareMore = false
    /// The fragment that is being visited, or -1.
    var currentFragment: Int32 = -1
    /// Whether a variable of the fragment's own was met since this was reset.
    var metLocalVariable = false
    /// Diagnostics about variables that do not fit, by the place of the use.
    var unfitUsages: [Span: [Int]] = [:]
    /// The same by the variable.
    var unfitVariables: [UnfitVariable: Int] = [:]
    /// Spreads of fragments that do not exist, which are reported at the end.
    var unknownSpreads: [UnknownSpread.Key: UnknownSpread] = [:]
    /// Fragments that need not be spread, since a misspelled spread probably meant them or a cycle was reported.
    var excusedFragments: Set<String> = []
    /// Arguments of fragments that something misspelled probably meant, by the number of the fragment.
    var excusedArguments: [Int: Set<String>] = [:]
    /// Arguments that fragments do not declare, which are reported at the end.
    var unknownFragmentArguments: [UnknownFragmentArgument] = []
    /// Variables that fragments use and some operation lacks.
    var undefinedInFragments: Set<UnknownFragmentArgument.Key> = []
    /// Variables that some operation lacks, with what is to be said of them.
    var undefined = UndefinedVariables()
    /// Variables of the operation that is being followed which need not be used, since something misspelled probably
    /// meant them.
    var excusedVariables: Set<String> = []
    /// How many more fragments and uses are looked at while operations are followed through their fragments.
    var stepsLeft = 0

    init(schema: Schema, definitions: DefinitionTable = DefinitionTable()) {
        self.schema = schema
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

    /// Reports a name that is not defined and asks about those that were probably meant; `sign` is what the span has
    /// before the name.
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

    /// Counts what is looked at in an operation while it is followed through its fragments. False when so many
    /// operations reach so many fragments that the documents are taken for an attack, which is reported once.
    func mayFollow(_ operation: OperationDefinition, steps: Int) -> Bool {
        if stepsLeft < 0 { return false }
        stepsLeft -= steps
        if stepsLeft >= 0 { return true }
        report(
            .fragmentLimit,
            "the operations reach too many fragments to follow them all",
            at: operation.headSpan
        )
        return false
    }

    // MARK: - Definitions

    /// Takes the definitions in; nothing is judged but their types and what does not belong in the documents.
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
                            // Where the parser found no type it said so.
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

    /// Visits one operation and gives what it contains.
    func visitOperation(_ index: Int) -> DefinitionFacts {
        facts = DefinitionFacts()
        if definitions.operations[index].definition.isBroken { return facts }
        currentDocument = definitions.operations[index].document
        visit(definitions.operations[index].definition)
        return facts
    }

    /// Visits one fragment and gives what it contains.
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

    /// Visits a selection set that is one of its own for merging.
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

    /// Only this function and those above it call one another, and they keep little, so that a text that is as deep as
    /// the parser allows fits on a small stack.
    private func visit(_ field: Field, on parent: SchemaType?) {
        let head = checkHead(of: field, on: parent)
        var children: Int32 = -1
        if let selectionSet = field.selectionSet { children = visit(selectionSet, on: head.compositeType) }
        if let parent { addEntry(field, head, on: parent, children: children) }
    }

    /// What is known of a field before its selection set is visited.
    private struct FieldHead {
        var definition: SchemaField?
        /// The type of the selection set, where it may have one.
        var compositeType: SchemaType?
        var usesLocalVariables = false
        /// Whether something was reported about the arguments.
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
                arguments: definitions.selections.add(field.arguments),
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

    /// Gives the type of the selection set.
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

    /// The type that a fragment is on, or nil if it is unknown or has no fields to select.
    private func compositeType(_ condition: Name) -> SchemaType? {
        let type = schema.type(named: condition.text)
        for case .typeCondition(let look) in rules.typeCondition { look(self, condition, type) }
        return type.flatMap { $0.isComposite ? $0 : nil }
    }

    // MARK: - Directives

    /// Visits the directives of one place; `target` is the fragment where that place is a spread.
    func visit(_ directives: [Directive], at location: DirectiveLocation, target: Int? = nil) {
        if directives.isEmpty { return }
        for case .directives(let look) in rules.directives { look(self, directives) }
        for directive in directives {
            let definition = schema.directive(named: directive.name.text)
            let place = PlacedDirective(
                directive: directive, definition: definition, location: location, target: target)
            for case .directive(let look) in rules.directive { look(self, place) }
            guard let definition else {
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
