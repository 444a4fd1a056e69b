/// A relation between an object type and an abstract type.
struct TypeFact: Sendable, Hashable {
    let type: TypeID
    let abstractType: TypeID
}
