import BatonTransforms

// The members of a fragment with `@refetchable`.

extension DefinitionGenerator {
    /// The protocol to which a fragment conforms.
    func conformance(_ refetch: RefetchMetadata?) -> String {
        guard let refetch else { return "GraphQLFragment" }
        return refetch.connection == nil ? "RefetchableFragment" : "PaginationFragment"
    }

    /// The type of the fragment's query, and the metadata with which the runtime uses the query.
    func members(_ refetch: RefetchMetadata?) -> [SwiftDeclaration] {
        guard let refetch else { return [] }
        let query = SwiftDeclaration.typealias(
            SwiftHead(modifiers: options.modifiers), "RefetchQuery", .named(names.operation(refetch.query)))
        var arguments = [SwiftArgument("path", Self.array(refetch.path))]
        if let identifier = refetch.identifier {
            arguments.append(SwiftArgument("identifier", .string(identifier.field)))
            arguments.append(SwiftArgument("variable", .string(identifier.variable)))
        }
        let members = [query, property("refetch", "RefetchMetadata", arguments)]
        guard let connection = refetch.connection else { return members }
        let pages = [("forward", connection.forward), ("backward", connection.backward)].compactMap { label, page in
            page.map { page in
                let names = [SwiftExpression.string(page.count), page.cursor.map { .string($0) } ?? .nil]
                return SwiftArgument(label, .call(.initializer, names.map { SwiftArgument(nil, $0) }))
            }
        }
        let path = SwiftArgument("path", connection.path.map(Self.array) ?? .nil)
        return members + [property("connection", "ConnectionMetadata", [path] + pages)]
    }

    /// The extension of a handle with a `refetch` that has one argument for each variable of the query. An argument
    /// that is left out keeps its value.
    func refetch(_ members: InputMembers, of fragment: String) -> SwiftDeclaration {
        let policy = SwiftParameter("policy", .named("FetchPolicy"), defaultValue: .member(nil, "networkOnly"))
        let arguments = ["__fields", "policy"].map { SwiftArgument(nil, .name($0)) }
        let function = SwiftFunction(
            SwiftHead(modifiers: ["@discardableResult"] + options.topLevelModifiers),
            .function("refetch"),
            members.partialParameters + [policy],
            result: .named("FetchTask"),
            body: members.partialBody + [.return(.call(.name("__refetch"), arguments))]
        )
        return .extension(
            SwiftExtension(
                .named("FragmentHandle"), where: (.named("Fragment"), .named(fragment)),
                members: [.function(function)]))
    }

    private static func array(_ path: [String]) -> SwiftExpression { .array(path.map { .string($0) }) }

    private func property(_ name: String, _ type: String, _ arguments: [SwiftArgument]) -> SwiftDeclaration {
        .variable(
            SwiftVariable(
                SwiftHead(modifiers: options.modifiers + ["static"]), isConstant: false, name,
                .named("GeneratedCode." + type), getter: [.expression(.call(.initializer, arguments))]))
    }
}
