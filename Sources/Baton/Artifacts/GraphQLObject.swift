/// An object of an answer that shows its `id`: what generated code makes of a selection set with the field `id: ID!`.
///
/// Its type and its `id` name the record that it was read from: `store.get(film)` in an update is that record. In a
/// list of a graphical interface it is `Identifiable` by its `id`, which is unique among objects of one type.
public protocol GraphQLObject: Identifiable where ID == String {
    /// The name of the object type.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __typename: String { get }
}
