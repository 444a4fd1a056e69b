import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A rule about executable documents, with the places that it checks.
///
/// A rule reports diagnostics and returns nothing. The traversal itself resolves names.
struct ValidationRule: Sendable {
    let section: Section
    /// The heading in the specification, which is also the name of the rule's file in `Rules`.
    let name: String
    let checks: [Check]

    init(_ section: Section, _ name: String, _ checks: Check...) {
        self.section = section
        self.name = name
        self.checks = checks
    }

    /// The part of a specification that contains the rule.
    enum Section: String, CaseIterable, Sendable {
        case documents = "5.1 Documents"
        case operations = "5.2 Operations"
        case fields = "5.3 Fields"
        case arguments = "5.4 Arguments"
        case fragments = "5.5 Fragments"
        case values = "5.6 Values"
        case directives = "5.7 Directives"
        case variables = "5.8 Variables"
        /// Section 3 on schema elements that documents use.
        case deprecation = "3 Deprecation"
        /// The proposal for `@defer` and `@stream`.
        case incrementalDelivery = "Incremental delivery"
        /// Relay's extensions of the language.
        case relay = "Relay"
    }

    typealias Look<Place> = @Sendable (Traversal, Place) -> Void

    /// The place that a rule checks. Frequent places are passed as arguments and not copied into a value first.
    /// Benchmark: `validate.one-core-ms`
    enum Check: Sendable {
        // While definitions are collected, and after that:

        case definition(Look<Definition>)
        /// The type of a type condition; nil if the schema does not define the name.
        case typeCondition(@Sendable (Traversal, Name, SchemaType?) -> Void)
        case collected(@Sendable (Traversal) -> Void)

        // While definitions are visited, each by one worker:

        case operation(Look<OperationDefinition>)
        case variable(Look<VariableDefinition>)
        /// A field on a known type, and its definition if the type defines it.
        case field(@Sendable (Traversal, Field, _ parent: SchemaType, SchemaField?) -> Void)
        case arguments(Look<GivenArguments>)
        /// A value with the expected type.
        case value(Look<ExpectedValue>)
        case inputObject(Look<GivenInputObject>)
        /// A spread `...Name`, with the number of its fragment.
        case spread(@Sendable (Traversal, FragmentSpread, _ target: Int?) -> Void)
        /// A fragment of one type inside another type; the name is nil for inline fragments.
        case applied(@Sendable (Traversal, SchemaType, _ parent: SchemaType, _ name: String?, Span) -> Void)
        case directives(Look<[Directive]>)
        case directive(Look<PlacedDirective>)
        case fragmentArguments(Look<PlacedDirective>)
        case deprecated(Look<DeprecatedElement>)

        // Over all definitions:

        /// Once, after all definitions are visited.
        case visited(@Sendable (Traversal) -> Void)
        /// Each use of a variable, for each operation that reaches the use.
        case variableUse(Look<VariableUse>)
        /// An operation, after all uses of its variables.
        case variablesOfOperation(Look<FollowedOperation>)
        /// Once, when the fragments that operations reach and the undefined variables are known.
        case followed(@Sendable (Traversal) -> Void)
    }
}

// MARK: - Places

/// A directive at its place; `target` is the fragment if the place is a spread.
struct PlacedDirective {
    let directive: Directive
    /// The definition; nil for an unknown directive.
    let definition: SchemaDirective?
    let location: DirectiveLocation
    let target: Int?
    /// Whether no other directive of the place passes arguments to a fragment, too.
    let passesAlone: Bool
}

/// The use of a deprecated element of the schema.
struct DeprecatedElement {
    /// The text of the element in messages.
    let description: String
    let reason: String
    let span: Span
}

/// The use of a variable in an operation, or in a fragment that the operation reaches.
struct VariableUse {
    let usage: VariableUsage
    /// The number of the operation.
    let operation: Int
    /// The number of the fragment; nil in the operation itself.
    let fragment: Int?
    /// The operation's definition of the variable; nil if there is none.
    let variable: OperationVariable?
    let variables: [String: OperationVariable]
}

/// An operation whose variables are all checked.
struct FollowedOperation {
    let operation: OperationFacts
    let variables: [String: OperationVariable]
    /// Variables that a misspelled name may mean.
    let excused: Set<String>
}
