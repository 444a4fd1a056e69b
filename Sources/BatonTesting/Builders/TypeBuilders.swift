public import Baton

// The builders of the types of a schema. They note overrides of a world, by the names of fields.

extension GeneratedCode {
    /// Notes the fields of an object of an object type, an interface or a union.
    public protocol TypeBuilder: EditBuilder {}

    /// Notes fields of all objects of an object type or an interface.
    public protocol FieldsBuilder: TypeBuilder {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The name of the type in the schema.
        static var __type: String { get }
    }

    /// Notes fields of an object type whose objects have an `id`.
    public protocol EntityBuilder: FieldsBuilder {}

    /// Notes edits of a whole response, by its response keys.
    public protocol ResponseBuilder: EditBuilder {}
}

extension GeneratedCode.TypeBuilder {
    /// The entity of an id, such as `Film:3`. An interface or a union needs the form that names the type.
    public static func entity(_ id: String) -> Self {
        let reference = GeneratedCode.Edits(.leaf(.string(id)))
        return Self(__edits: .init(.object(ObjectEdits(members: [EditedOverrides.reference: reference]))))
    }
}
