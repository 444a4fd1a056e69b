import BatonSyntax

/// Generates the extension of a handle with a method that has one argument for each variable of its operation.
struct HandleGenerator {
    let members: InputMembers
    /// The name of the operation's type in Swift.
    let name: String
    let options: GenerationOptions

    func handle(of kind: OperationKind) -> SwiftDeclaration {
        switch kind {
        case .query: handle("QueryHandle", get)
        case .mutation: handle("MutationHandle", commit)
        case .subscription: handle("SubscriptionHandle", subscribe)
        }
    }

    private func handle(_ type: String, _ method: SwiftFunction) -> SwiftDeclaration {
        .extension(
            SwiftExtension(
                .named(type), where: (.named("Operation"), .named(name)), members: [.function(method)]))
    }

    private var variables: SwiftExpression { .call(.name(name + ".Variables"), members.arguments) }
    private var result: SwiftType { .generic("QueryResult", [.named(name + ".Data")]) }

    private var get: SwiftFunction {
        let fetchKey = SwiftParameter(
            "fetchKey", .optional(.named("GeneratedCode.FetchKey")), defaultValue: .nil)
        return SwiftFunction(
            SwiftHead(modifiers: options.topLevelModifiers), .function("get"), members.parameters + [fetchKey],
            result: result,
            body: [
                .expression(
                    .call(
                        .name("__get"), [SwiftArgument(nil, variables), SwiftArgument(nil, .name("fetchKey"))]))
            ])
    }

    private var commit: SwiftFunction {
        // The type parameter of the handle is shorter than most names.
        let type = SwiftType.named("Operation")
        let others = [
            SwiftParameter("optimistic", .optional(.generic("OptimisticUpdate", [type])), defaultValue: .nil),
            SwiftParameter("serial", .optional(.named("String")), defaultValue: .nil),
            SwiftParameter("configuration", .optional(.named("RequestConfiguration")), defaultValue: .nil),
            SwiftParameter("update", .optional(.generic("GeneratedCode.Updater", [type])), defaultValue: .nil),
        ]
        // The configuration is the last argument in the runtime, so that code of earlier compilers still compiles.
        let passed = ["optimistic", "serial", "update", "configuration"]
        let mutation = SwiftExpression.call(.name(name), members.arguments)
        return SwiftFunction(
            SwiftHead(modifiers: ["@discardableResult"] + options.topLevelModifiers), .function("commit"),
            members.parameters + others, asyncError: .named("RelayError"),
            result: .generic("GraphQLResponse", [type]),
            body: [
                .expression(
                    .awaited(
                        .call(
                            .name("__commit"),
                            [SwiftArgument(nil, mutation)] + passed.map { SwiftArgument(nil, .name($0)) })))
            ])
    }

    private var subscribe: SwiftFunction {
        SwiftFunction(
            SwiftHead(modifiers: options.topLevelModifiers), .function("subscribe"), members.parameters,
            result: result,
            body: [.expression(.call(.name("__subscribe"), [SwiftArgument(nil, variables)]))])
    }
}

extension InputMembers {
    /// One parameter for each variable; nil leaves the variable out.
    var parameters: [SwiftParameter] {
        members.map { member in
            let type = valueType(member)
            return member.isRequired
                ? SwiftParameter(member.name, type)
                : SwiftParameter(member.name, .optional(type), defaultValue: .nil)
        }
    }

    /// The arguments that pass these parameters on.
    var arguments: [SwiftArgument] { members.map { SwiftArgument($0.name, .name($0.name)) } }
}
