import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// All executable definitions of a run, over all documents, with what the traversal learned about each.
struct DefinitionTable {
    var operations: [OperationFacts] = []
    private(set) var fragments: [FragmentFacts] = []
    /// The fragment that counts for each name: the first that could be read, or the first if none could.
    private(set) var fragmentIndex: [String: Int] = [:]
    /// For names that several documents define, which is a mistake, the first fragment of each of these documents.
    private var ownFragments: [OwnFragment: Int] = [:]
    /// Fragments that share their name with another one: of which a spread means is not known, so that nothing is
    /// unused for want of the other.
    private(set) var duplicates: Set<Int> = []
    var selections = SelectionTable()
    /// For each fragment, whether some operation reaches it; known after the traversal.
    var isReached: [Bool] = []
    /// Whether some definition could not be read, so that what seems unused or unknown may be used or known there.
    var hasBrokenDefinitions = false
    /// Documents of which some definition could not be read at all, not even its name.
    var incompleteDocuments: Set<Int> = []
    /// Whether `@defer` or `@stream` is used at all; few documents do.
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

    /// The fragment that a spread means: where several have the name, that of the document with the spread goes first,
    /// so that a name taken twice gives no further mistakes.
    func fragment(named name: String, spreadIn document: Int) -> Int? {
        if ownFragments.isEmpty { return fragmentIndex[name] }
        return ownFragments[OwnFragment(name: name, document: document)] ?? fragmentIndex[name]
    }

    mutating func note(_ facts: DefinitionFacts, of fragment: Int) {
        fragments[fragment].facts = facts
    }
}

/// What one definition contains that is judged only together with others.
struct DefinitionFacts {
    var usages: [VariableUsage] = []
    var spreads: [SpreadUse] = []
    var labels: [LabelUse] = []
    /// Arguments of a fragment's own that its selections use, by name.
    var usedArguments: Set<String> = []
    /// Words that stand where no word can be, and may be variables without their '$', and variables where none can be.
    var bareWords: Set<String> = []
    /// Whether it spreads a fragment that does not exist.
    var hasUnknownSpread = false
    /// The selection set at the top, as an index of the selection table.
    var root: Int32 = -1
}

struct OperationFacts {
    let definition: OperationDefinition
    /// The number of the document that it stands in.
    let document: Int
    var facts = DefinitionFacts()
}

struct FragmentFacts {
    let definition: FragmentDefinition
    /// The number of the document that it stands in.
    let document: Int
    /// The type condition, or nil if it is unknown or no composite type.
    let type: SchemaType?
    /// What `@argumentDefinitions` declares, by name; nil without the directive.
    let arguments: [String: FragmentArgument]?
    /// Whether a directive of the definition is unknown or could not be read, so that it may declare arguments that are
    /// not known.
    let mayDeclareMore: Bool
    var facts = DefinitionFacts()
}

/// An argument that a fragment declares with `@argumentDefinitions`.
struct FragmentArgument {
    let name: Name
    /// Nil if the declaration is not understood or names an unknown type.
    let type: TypeReference?
    let defaultValue: Value?
    /// Whether the value comes from a provider and nobody passes it.
    let isProvided: Bool
    /// Whether it says of itself that it may be unused.
    let mayBeUnused: Bool
    /// Whether something was reported about the declaration, so that nothing follows from it.
    let isWrong: Bool

    /// Whether a spread must pass it.
    var isRequired: Bool { type?.isNonNull == true && defaultValue == nil && !isProvided && !isWrong }
}

/// A variable where a value is expected.
struct VariableUsage {
    let variable: Variable
    /// The type expected there, or nil where it is unknown.
    let type: TypeReference?
    /// Whether the argument or input field itself has a default.
    let hasDefault: Bool
    /// Whether it is the field of a oneOf input object, which must not be null.
    let isOneOfField: Bool

    init(variable: Variable, _ expected: ExpectedValue) {
        self.variable = variable
        type = expected.type
        hasDefault = expected.hasDefault
        isOneOfField = expected.isOneOfField
    }
}

/// `...Name` of a fragment that exists.
struct SpreadUse {
    let fragment: Int
    let span: Span
}
