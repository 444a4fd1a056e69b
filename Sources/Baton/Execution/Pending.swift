extension RelayEnvironment {
    func errors<F: GraphQLFragment>(in reference: FragmentReference<F>) -> [GraphQLError] { [] }
}
extension Store {
    func json(of operation: BoundOperation) -> JSONValue { .null }
}
extension RecordSourceProxy {
    func read<D: GeneratedCode.Selections>(_ type: D.Type, _ operation: BoundOperation) -> D? { nil }
}
extension JSONValue { static func parse(_ b: [UInt8]) throws -> JSONValue { .null } }
