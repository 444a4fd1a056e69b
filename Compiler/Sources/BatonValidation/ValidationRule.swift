import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A rule about executable documents, with the places that it wants to look at.
///
/// A rule reports and gives nothing back: what a name stands for the traversal finds out itself.
struct ValidationRule: Sendable {
    let section: Section
    /// The heading in the specification, which is the name of the rule's file in `Rules`.
    let name: String
    let checks: [Check]

    init(_ section: Section, _ name: String, _ checks: Check...) {
        self.section = section
        self.name = name
        self.checks = checks
    }

    /// Where the specification has a rule, in its order.
    enum Section: String, CaseIterable, Sendable {
        case documents = "5.1 Documents"
        case operations = "5.2 Operations"
        case fields = "5.3 Fields"
        case arguments = "5.4 Arguments"
        case fragments = "5.5 Fragments"
        case values = "5.6 Values"
        case directives = "5.7 Directives"
        case variables = "5.8 Variables"
        /// What section 3 says of the elements of a schema that documents use.
        case deprecation = "3 Deprecation"
        /// The proposal for `@defer` and `@stream`.
        case incrementalDelivery = "Incremental delivery"
        /// What Relay adds to the language.
        case relay = "Relay"
    }

    typealias Look<Place> = @Sendable (Traversal, Place) -> Void

    /// What a rule looks at. What documents are full of is passed as it is, not copied into a value first.
    /// Benchmark: `validate.one-core-ms`
    enum Check: Sendable {
        // While definitions are collected, and when all are

        case definition(Look<Definition>)
        /// The type that a fragment is on, or nil where the schema has none of the name.
        case typeCondition(@Sendable (Traversal, Name, SchemaType?) -> Void)
        case collected(@Sendable (Traversal) -> Void)

        // While definitions are visited, each by one worker

        case operation(Look<OperationDefinition>)
        case variable(Look<VariableDefinition>)
        /// A field on a known type, and its definition if that type has one.
        case field(@Sendable (Traversal, Field, _ parent: SchemaType, SchemaField?) -> Void)
        case arguments(Look<GivenArguments>)
        /// A value with the type that is expected there.
        case value(Look<ExpectedValue>)
        case inputObject(Look<GivenInputObject>)
        /// `...Name` with the fragment that it means, by its number.
        case spread(@Sendable (Traversal, FragmentSpread, _ target: Int?) -> Void)
        /// A fragment of some type where another type is in scope; the name is nil for inline fragments.
        case applied(@Sendable (Traversal, SchemaType, _ parent: SchemaType, _ name: String?, Span) -> Void)
        case directives(Look<[Directive]>)
        case directive(Look<PlacedDirective>)
        case fragmentArguments(Look<PlacedDirective>)
        case deprecated(Look<DeprecatedElement>)

        // Over all definitions

        /// When every definition was visited.
        case visited(@Sendable (Traversal) -> Void)
        /// Each use of a variable in each operation that reaches it.
        case variableUse(Look<VariableUse>)
        /// An operation after all of its uses.
        case variablesOfOperation(Look<FollowedOperation>)
        /// When it is known what operations reach and which variables they lack.
        case followed(@Sendable (Traversal) -> Void)
    }
}

// MARK: - Places

/// A directive where it stands; `target` is the fragment where that place is a spread.
struct PlacedDirective {
    let directive: Directive
    /// Nil where nothing declares it.
    let definition: SchemaDirective?
    let location: DirectiveLocation
    let target: Int?
}

/// What a document uses and the schema deprecates.
struct DeprecatedElement {
    /// In the words of a message.
    let description: String
    let reason: String
    let span: Span
}

/// A variable where an operation or a fragment that it reaches uses it.
struct VariableUse {
    let usage: VariableUsage
    /// The number of the operation.
    let operation: Int
    /// The number of the fragment, or nil in the operation itself.
    let fragment: Int?
    /// What the operation says of the variable, or nil if it does not define it.
    let variable: OperationVariable?
    /// All variables of the operation.
    let variables: [String: OperationVariable]
}

/// An operation whose variables were all followed.
struct FollowedOperation {
    let operation: OperationFacts
    let variables: [String: OperationVariable]
    /// Names that something misspelled probably meant.
    let excused: Set<String>
}
