/// An object of a response that has an `id`: a generated struct of a selection set with the field `id: ID!`.
///
/// The type and the `id` identify the record that the object was read from: `store.get(film)` in an update returns that
/// record. The object is `Identifiable` by its `id`, which is unique among objects of one type.
public typealias GraphQLObject = GeneratedCode.SelectionSet & Identifiable<String>
