/// An object of an answer that has an `id`. Generated structs of selection sets with the field `id: ID!` conform to
/// this protocol.
///
/// The type and the `id` identify the record that the object was read from: `store.get(film)` in an update returns that
/// record. The object is `Identifiable` by its `id`, which is unique among objects of one type.
public protocol GraphQLObject: Identifiable where ID == String {
    /// The name of the object type.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __typename: String { get }
}
