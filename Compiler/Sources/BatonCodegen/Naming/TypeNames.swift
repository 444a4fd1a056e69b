import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// The Swift names of all top-level types.
package struct TypeNames: Sendable {
    private var operations: [String: String] = [:]
    private var fragments: [String: String] = [:]
    private var types: [TypeID: String] = [:]
    private var parameters: [String: String] = [:]
    package private(set) var diagnostics: [Diagnostic] = []
    /// Whether a type has another name than it wants.
    package private(set) var hasRenamed = false

    /// Chooses the names. A definition whose name equals the name of its type comes first and keeps this name.
    /// Fragments, operations, enums and input objects, and parameters of operations follow. Each kind is in
    /// alphabetical order, so that the order of files does not matter.
    ///
    /// Names that differ only in case collide, because files are named after their types.
    ///
    /// A diagnostic about a definition that only stands has no place.
    package init(
        program: Program, used: UsedTypes, types custom: [String: TypeCustomization] = [:],
        standing: StandingDefinitions = StandingDefinitions()
    ) {
        enum Owner {
            case fragment(String)
            case operation(String)
            case type(TypeID)
            case parameters(String)
        }
        var claims: [(owner: Owner, rank: Int, name: String, wanted: String, span: Span)] = []
        for item in program.fragments {
            claims.append((.fragment(item.name), 0, item.name, SwiftName.uppercasingFirst(item.name), item.span))
        }
        for name in standing.fragments {
            claims.append((.fragment(name), 0, name, SwiftName.uppercasingFirst(name), .none))
        }
        for item in program.operations {
            claims.append((.operation(item.name), 1, item.name, Self.typeName(of: item), item.span))
        }
        for item in standing.operations {
            claims.append((.operation(item.name), 1, item.name, Self.typeName(item.name, item.kind), .none))
        }
        for item in used.enums + used.inputObjects {
            let own = custom[item.name]
            let wanted = own?.name ?? SwiftName.uppercasingFirst(item.name)
            // A type of another module cannot get another name.
            let name = own?.module == nil ? item.name : wanted
            claims.append((.type(item.id), own?.module == nil ? 2 : -1, name, wanted, item.span))
        }
        for item in program.operations where item.kind == .query && item.directives.named("preloadable") != nil {
            claims.append((.parameters(item.name), 3, item.name, Self.typeName(of: item) + "Parameters", item.span))
        }
        for item in standing.operations where item.isPreloadable {
            claims.append(
                (.parameters(item.name), 3, item.name, Self.typeName(item.name, item.kind) + "Parameters", .none))
        }
        claims.sort {
            ($0.name == $0.wanted ? 0 : 1, $0.rank, $0.name) < ($1.name == $1.wanted ? 0 : 1, $1.rank, $1.name)
        }
        var scope = NameScope(reserved: ReservedNames.topLevel, ignoresCase: true)
        for claim in claims {
            let name = scope.claim(claim.wanted)
            if name != claim.wanted {
                hasRenamed = true
                let message = "the Swift type name '\(claim.wanted)' is taken; the type is called '\(name)'"
                diagnostics.append(Diagnostic(.renamedType, severity: .warning, message, at: claim.span))
            }
            switch claim.owner {
            case .fragment(let key): fragments[key] = name
            case .operation(let key): operations[key] = name
            case .type(let key): types[key] = name
            case .parameters(let key): parameters[key] = name
            }
        }
    }

    /// The type's name: `HeroNameQuery` for `query heroName`, `HeroQuery` for `query HeroQuery`.
    package static func typeName(of operation: Operation) -> String { typeName(operation.name, operation.kind) }

    /// The name of the type of an operation with a name.
    package static func typeName(_ operation: String, _ kind: OperationKind) -> String {
        let suffix = SwiftName.uppercasingFirst(kind.rawValue)
        let name = SwiftName.uppercasingFirst(operation)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    package func operation(_ name: String) -> String { operations[name] ?? name }
    package func fragment(_ name: String) -> String { fragments[name] ?? name }
    /// The name of the type with the request of an operation; nil if there is no such type.
    package func parameters(_ name: String) -> String? { parameters[name] }
    /// The Swift name of an enum or input object.
    package func type(_ type: SchemaType) -> String { types[type.id] ?? type.name }
}
