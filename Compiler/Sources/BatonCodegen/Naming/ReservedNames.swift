/// Names that generated code cannot use for fields and types, because the code or Swift uses them itself.
package enum ReservedNames {
    /// Types that generated code uses without qualification.
    package static let types: Set<String> = [
        "Any", "AnyObject", "Array", "Baton", "Bool", "Double", "Equatable", "FetchPolicy", "FetchTask",
        "FieldResult", "FragmentHandle", "FragmentReference", "GeneratedCode", "GraphQLEnum", "GraphQLFragment",
        "GraphQLIncrementalQuery", "GraphQLInput", "GraphQLMutation", "GraphQLNullable", "GraphQLObject",
        "GraphQLQuery", "GraphQLResponse", "GraphQLSubscription", "Hashable", "Identifiable", "Int",
        "JSONValue", "MutationHandle", "Never", "NodeList", "ObjectList", "OptimisticUpdate", "Optional",
        "PaginationFragment", "Protocol", "QueryHandle", "QueryResult", "RawRepresentable",
        "RefetchableFragment", "RelayError", "Self", "Sendable", "StoreOptions",
        "String", "SubscriptionHandle", "Swift", "Type", "UnstoredData", "Void", "WritableFragment", "WritableQuery",
    ]

    /// Names of types at the top level. A definition's nested types would hide a top-level type of the same name.
    package static let topLevel: Set<String> = types.union([
        "Data", "Fragments", "Operation", "RawResponse", "RefetchQuery", "Variables", "Writable", "_",
    ])

    /// Names of types nested in a selection set.
    package static let nestedTypes: Set<String> = types.union(["Fragments", "ID", "Variables", "_"])

    /// Properties of a selection set that are not fields.
    package static let selectionProperties: Set<String> = types.union([
        "__typename", "Fragments", "fragments", "self", "_",
    ])

    /// Names of members of variables and input objects, which are also labels of functions that take variables.
    package static let inputProperties: Set<String> = types.union([
        "fetchKey", "optimistic", "serial", "configuration", "update", "policy", "variables", "hashValue", "jsonValue",
        "self", "_",
    ])

    /// Names of the cases of an enum for a `@oneOf` input; they are spelled as in the schema.
    package static let oneOfCases: Set<String> = ["null", "self", "Self", "Type", "Protocol", "_"]

    /// Names of enum cases; `.null` is the null of an input that may be left out.
    package static let enumCases: Set<String> = ["unknown", "null", "self", "_"]
}
