/// Names that generated code cannot give away, because it uses them itself or Swift does not let it.
package enum ReservedNames {
    /// Types that generated code refers to without qualification.
    package static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Baton", "Bool", "Double", "Equatable", "FragmentReference", "GeneratedCode",
        "GraphQLEnum", "GraphQLFragment", "GraphQLInput", "GraphQLInputObject", "GraphQLMutation", "GraphQLNullable",
        "GraphQLObject", "GraphQLQuery",
        "GraphQLSubscription", "GraphQLVariables", "Hashable", "Int", "JSONValue", "Never", "Optional", "Protocol",
        "QueryHandle", "QueryResult", "Self", "Sendable", "String", "Swift", "Type", "Void",
    ]

    /// The same at the top level, where the nested types of an operation or fragment would hide a type of that name.
    package static let topLevel: Set<String> = types.union(["Data", "Fragments", "Operation", "Variables"])

    /// The same inside a selection set.
    package static let nestedTypes: Set<String> = types.union(["Fragments", "ID", "Variables"])

    /// Properties of a selection set that are not fields.
    package static let selectionProperties: Set<String> = types.union([
        "__typename", "Fragments", "fragments", "self", "_",
    ])

    /// Members of variables and input objects, and labels of the functions to which variables are given.
    package static let inputProperties: Set<String> = types.union([
        "fetchKey", "optimistic", "update", "policy", "variables", "hashValue", "jsonValue", "self", "_",
    ])

    /// Cases of an enum; where an input may be left out, `.null` means something else.
    package static let enumCases: Set<String> = ["unknown", "null", "self", "_"]
}
