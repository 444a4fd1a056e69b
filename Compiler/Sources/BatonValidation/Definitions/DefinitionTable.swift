import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// All executable definitions of a run, from all documents, with the facts that the traversal collects about each.
struct DefinitionTable {
    var operations: [OperationFacts] = []
    private(set) var fragments: [FragmentFacts] = []
    /// The fragment of each name: the first one without a parse error, or else the first one.
    private(set) var fragmentIndex: [String: Int] = [:]
    /// For a name that several documents define by mistake, the first fragment of each of these documents.
    private var ownFragments: [OwnFragment: Int] = [:]
    /// Fragments that share their name with another fragment. A spread may mean either of them, so that none is
    /// reported as unused.
    private(set) var duplicates: Set<Int> = []
    var selections = SelectionTable()
    /// The arguments whose value reaches a server or a reader. Set after the traversal, if some value is passed
    /// unchecked.
    var effectiveArguments: Set<PassingTarget>?
    /// For each fragment, whether an operation reaches it; set after the traversal.
    var isReached: [Bool] = []
    /// Whether a definition could not be parsed completely, so that it may use or define any name.
    var hasBrokenDefinitions = false
    /// Documents with a definition that the parser left out, including its name.
    var incompleteDocuments: Set<Int> = []
    /// Whether `@defer` or `@stream` occurs in any document.
    var hasIncrementalDelivery = false

    private struct OwnFragment: Hashable {
        let name: String
        let document: Int
    }

    mutating func append(_ fragment: FragmentFacts) {
        let name = fragment.definition.name.text
        let index = fragments.count
        fragments.append(fragment)
        guard let known = fragmentIndex[name] else {
            fragmentIndex[name] = index
            return
        }
        duplicates.formUnion([known, index])
        for index in [known, index] {
            let own = OwnFragment(name: name, document: fragments[index].document)
            ownFragments[own] = ownFragments[own] ?? index
        }
        if fragments[known].definition.isBroken, !fragment.definition.isBroken { fragmentIndex[name] = index }
    }

    /// The fragment that a spread means. If several fragments have the name, the one in the spread's document counts,
    /// so that the duplicate name causes no further errors.
    func fragment(named name: String, spreadIn document: Int) -> Int? {
        if ownFragments.isEmpty { return fragmentIndex[name] }
        return ownFragments[OwnFragment(name: name, document: document)] ?? fragmentIndex[name]
    }

    mutating func note(_ facts: DefinitionFacts, of fragment: Int) {
        fragments[fragment].facts = facts
    }
}

/// Facts about one definition for rules that check several definitions together.
struct DefinitionFacts {
    var usages: [VariableUsage] = []
    var spreads: [SpreadUse] = []
    var labels: [LabelUse] = []
    /// The names of the fragment's own arguments that its selections use.
    var usedArguments: Set<String> = []
    /// The `usedArguments` whose value has another use than being passed on.
    var effectiveArguments: Set<String> = []
    /// The own arguments that are passed on to fragments.
    var passedArguments: [PassedArgument] = []
    /// Names that count as used variables: words that may lack their '$', and variables in places where none is
    /// allowed.
    var bareWords: Set<String> = []
    /// Whether the definition spreads a fragment that does not exist.
    var hasUnknownSpread = false
    /// The index of the outermost selection set in the selection table.
    var root: Int32 = -1
}

struct OperationFacts {
    let definition: OperationDefinition
    /// The number of the operation's document.
    let document: Int
    var facts = DefinitionFacts()
}

struct FragmentFacts {
    let definition: FragmentDefinition
    /// The number of the fragment's document.
    let document: Int
    /// The type of the type condition; nil if it is unknown or not a composite type.
    let type: SchemaType?
    /// The arguments that `@argumentDefinitions` declares, by name; nil without the directive.
    let arguments: [String: FragmentArgument]?
    /// Whether the fragment may declare arguments that are not in `arguments`: a directive is unknown or could not be
    /// parsed.
    let mayDeclareMore: Bool
    var facts = DefinitionFacts()
}

/// An argument that a fragment declares with `@argumentDefinitions`.
struct FragmentArgument {
    let name: Name
    /// The type; nil if the declaration is malformed or the type is unknown.
    let type: TypeReference?
    let defaultValue: Value?
    /// Whether a provider gives the value, so that no spread passes it.
    let isProvided: Bool
    /// The place of the mark that the argument is not used; nil if it must be used.
    let unusedMark: Span?
    /// Whether the declaration has a reported mistake, so that it causes no further errors.
    let isWrong: Bool

    /// Whether a spread must pass the argument.
    var isRequired: Bool { type?.isNonNull == true && defaultValue == nil && !isProvided && !isWrong }
}

/// An argument of a fragment that is passed on to another fragment.
struct PassedArgument {
    let name: String
    let target: PassingTarget
}

/// The argument of a fragment to which a spread passes a value; no argument if the fragment does not declare it.
struct PassingTarget: Hashable {
    let fragment: Int
    let argument: String?
}

/// A variable in the place of a value.
struct VariableUsage {
    let variable: Variable
    /// The expected type; nil if it is unknown.
    let type: TypeReference?
    /// Whether the argument or input field has a default value.
    let hasDefault: Bool
    /// Whether the place is a field of a oneOf input object, which must not be null.
    let isOneOfField: Bool
    /// Whether a variable that does not fit is only a warning.
    let isUnchecked: Bool
    /// The argument to which a spread passes the variable; nil for other places.
    var target: PassingTarget?

    init(variable: Variable, _ expected: ExpectedValue) {
        self.variable = variable
        type = expected.type
        hasDefault = expected.hasDefault
        isOneOfField = expected.isOneOfField
        isUnchecked = expected.isUnchecked
    }
}

/// A spread `...Name` of a fragment that exists.
struct SpreadUse {
    let fragment: Int
    let span: Span
}
