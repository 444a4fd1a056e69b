/// The relations between types, at least one of which is a type of the client. The compiler knows them from the schema.
struct ClientFacts: Sendable {
    private var members: Set<TypeFact> = []
    /// The object types and abstract types of the client.
    private var types: Set<TypeID> = []

    init(_ known: [SelectionPlan.Marks.ClientType], _ names: NameTable) {
        for entry in known {
            let type = names.type(entry.type)
            if entry.kind != .server { types.insert(type) }
            for other in entry.abstractTypes { members.insert(TypeFact(type: type, abstractType: names.type(other))) }
        }
    }

    /// Returns true if objects of a type are of an abstract type; nil for two types of the server.
    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        guard types.contains(type) || types.contains(abstractType) else { return nil }
        return members.contains(TypeFact(type: type, abstractType: abstractType))
    }
}
