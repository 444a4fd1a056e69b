import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that an object or interface has the fields and arguments that its interfaces promise.
    ///
    /// Two violations are warnings, because real schemas have them and clients take no harm: field types that are not
    /// covariant, and fields that are deprecated in the type alone. A missing field or interface is an error that may
    /// be lowered; `Schema.isSubtype` takes it into account. A mistake against several interfaces is reported once.
    ///
    /// A client schema extension may leave out fields that only an interface demands, as Relay's extensions do: no
    /// server answers for the type, and the client sets the fields that the type has.
    ///
    /// Specification: https://spec.graphql.org/September2025/#IsValidImplementation()
    mutating func checkInterfaces(in schema: Schema) {
        let cyclic = checkInterfaceCycles()
        for type in schema.types where !type.isPredeclared && !type.interfaces.isEmpty {
            var implementation = Implementation(type: type)
            for named in namedTypes[Int(type.id.index)] {
                let interface = schema[named.id]
                if interface === type || cyclic.contains(named.id) && cyclic.contains(type.id) { continue }
                implementation.interface = interface
                implementation.span = named.span
                if !cyclic.contains(named.id) { checkImplied(&implementation, in: schema) }
                for promised in interface.fields { checkField(&implementation, promised, in: schema) }
            }
        }
    }

    /// A type that is compared with an interface that it implements.
    private struct Implementation {
        let type: SchemaType
        var interface: SchemaType
        /// The place of the interface's name after `implements`.
        var span = Span.none
        /// The interfaces and the defects that have been reported.
        var missing: Set<TypeID> = []
        var reported: Set<Defect> = []

        init(type: SchemaType) {
            self.type = type
            interface = type
        }
    }

    private enum Defect: Hashable {
        case type(field: String)
        case deprecation(field: String)
        case argument(String, field: String)
    }

    /// Checks that a type also names the interfaces that its interface implements.
    private mutating func checkImplied(_ implementation: inout Implementation, in schema: Schema) {
        let (type, interface) = (implementation.type, implementation.interface)
        if type.isClientOnly || interface.isClientOnly { return }
        for named in namedTypes[Int(interface.id.index)] where !type.interfaces.contains(named.id) {
            guard implementation.missing.insert(named.id).inserted else { continue }
            let implied = schema[named.id]
            let all = (type.interfaces + [named.id]).map { schema[$0].name }
            report(
                .missingInterface,
                "type '\(type.name)' must also implement '\(implied.name)', as '\(interface.name)' does",
                at: implementation.span,
                notes: [.init("the interface says so here", at: named.span)],
                suggestion: "write 'implements \(all.joined(separator: " & "))'",
                isLowerable: true
            )
        }
    }

    private mutating func checkField(
        _ implementation: inout Implementation,
        _ promised: SchemaField,
        in schema: Schema
    ) {
        let (type, interface) = (implementation.type, implementation.interface)
        guard let field = type.field(named: promised.name) else {
            if type.isClientOnly || interface.isClientOnly || promised.isClientOnly { return }
            if brokenMembers.contains(Member(owner: type.name, name: promised.name)) { return }
            guard implementation.reported.insert(.type(field: promised.name)).inserted else { return }
            report(
                .missingInterfaceField,
                "type '\(type.name)' lacks field '\(promised.name)' of interface '\(interface.name)'",
                at: implementation.span,
                notes: [.init("the interface says so here", at: promised.span)],
                suggestion: "add '\(promised.name): \(schema.describe(promised.type))' to '\(type.name)'",
                isLowerable: true
            )
            return
        }
        if !schema.isSubtype(field.type, of: promised.type),
            implementation.reported.insert(.type(field: field.name)).inserted
        {
            report(
                .interfaceMismatch,
                severity: .warning,
                "the type '\(schema.describe(field.type))' of '\(field.name)' is not "
                    + "'\(schema.describe(promised.type))', as in interface '\(interface.name)'",
                at: field.typeSpan,
                notes: [.init("the interface says so here", at: promised.typeSpan)]
            )
        }
        if field.deprecation != nil, promised.deprecation == nil,
            implementation.reported.insert(.deprecation(field: field.name)).inserted
        {
            let written = field.directives.first { $0.name.text == "deprecated" }?.name.span ?? field.span
            report(
                .interfaceDeprecation,
                severity: .warning,
                "field '\(field.name)' of '\(type.name)' is deprecated, but not in interface '\(interface.name)'",
                at: written.source == .predeclared ? field.span : written,
                notes: [.init("the interface says so here", at: promised.span)]
            )
        }
        checkArguments(of: field, promised, &implementation, in: schema)
    }

    /// Checks that a field has the arguments of the interface's field, and that its other arguments are optional.
    private mutating func checkArguments(
        of field: SchemaField,
        _ promised: SchemaField,
        _ implementation: inout Implementation,
        in schema: Schema
    ) {
        let interface = implementation.interface.name
        let owner = "\(implementation.type.name).\(field.name)"
        for argument in promised.arguments {
            let own = field.argument(named: argument.name)
            if own?.type == argument.type { continue }
            if own == nil, brokenMembers.contains(Member(owner: owner, name: argument.name)) { continue }
            guard implementation.reported.insert(.argument(argument.name, field: field.name)).inserted else { continue }
            let type = schema.describe(argument.type)
            report(
                .interfaceArgument,
                own == nil
                    ? "field '\(field.name)' lacks argument '\(argument.name)' of type '\(type)', as in interface '\(interface)'"
                    : "argument '\(argument.name)' of '\(field.name)' must be of type '\(type)', as in interface '\(interface)'",
                at: own?.typeSpan ?? field.span,
                notes: [.init("the interface says so here", at: own == nil ? argument.span : argument.typeSpan)]
            )
        }
        for argument in field.arguments where argument.isRequired && promised.argument(named: argument.name) == nil {
            if brokenMembers.contains(Member(owner: "\(interface).\(field.name)", name: argument.name)) { continue }
            guard implementation.reported.insert(.argument(argument.name, field: field.name)).inserted else { continue }
            report(
                .interfaceArgument,
                "argument '\(argument.name)' of '\(field.name)' is required, but interface '\(interface)' has none of this name",
                at: argument.span,
                notes: [.init("the interface says so here", at: promised.span)],
                suggestion: "make it nullable, or give it a default"
            )
        }
    }
}
