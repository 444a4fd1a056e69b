public import Baton
import BatonSchema

// Overrides by the builders that the compiler generates: with the types of the schema, and checked like JSON.

extension World {
    /// Changes fields of all objects of an object type, or of all implementations of an interface.
    ///
    ///     try world.override(BuilderSchema.Film.self) { $0.rating = 5 }
    ///     try world.override(BuilderSchema.Query.self) { $0.films.edges.count = 2 }
    ///
    /// A field has its value whatever its arguments are. An object for an entity makes an entity with these fields;
    /// `.entity("Person:1")` is one that there is. A list takes `count`, edits of its items and of `all`; the items of
    /// a connection are those of its `edges` or `nodes`.
    ///
    /// - Throws: All mistakes, as `override(_:)` with JSON does. Nothing is changed then.
    public func override<Builder: GeneratedCode.FieldsBuilder>(
        _ type: Builder.Type, _ edit: (inout Builder) -> Void
    ) throws(WorldError) {
        try override(named: type.__type, of: type, edit)
    }

    /// Changes fields of one entity.
    ///
    ///     try world.override(BuilderSchema.Film.self, id: "Film:3") { $0.title = "Hope" }
    ///
    /// - Throws: All mistakes, as `override(_:)` with JSON does, and an id that is none of the type.
    public func override<Builder: GeneratedCode.EntityBuilder>(
        _ type: Builder.Type, id: String, _ edit: (inout Builder) -> Void
    ) throws(WorldError) {
        guard let named = data.schema.type(named: type.__type), data.known.isEntity(named),
            let entity = data.entity(named, id: .string(id))
        else { throw WorldError(messages: ["\(type.__type): '\(id)' is no id of a '\(type.__type)'"]) }
        try override(named: entity.key, of: type, edit)
    }

    /// Changes values at paths of the response of an operation.
    ///
    ///     try world.override(responsesOf: FilmQuery.Builder.self) { $0.film.reviews[0].text = "Good" }
    ///
    /// A path has response keys and holds for every operation with it. An entity that a path changes differs from
    /// itself elsewhere, so a path is for objects without an `id`, and for whole links. An object type is chosen by
    /// `__typename`. What the world gives as null stays null below the path, and an edit of an item beyond the end of a
    /// list changes nothing without a `count`.
    ///
    /// - Throws: Edits that a path cannot say. Nothing is changed then.
    public func override<Builder: GeneratedCode.ResponseBuilder>(
        responsesOf type: Builder.Type, _ edit: (inout Builder) -> Void
    ) throws(WorldError) {
        var builder = Builder(__edits: .init())
        edit(&builder)
        var paths = EditedPaths(schema: data.schema)
        paths.add(builder.__edits, at: [])
        guard paths.mistakes.isEmpty else { throw WorldError(messages: paths.mistakes) }
        let read = paths.overrides
        data.change { $0.overrides.add(read) }
    }

    private func override<Builder: GeneratedCode.FieldsBuilder>(
        named name: String, of type: Builder.Type, _ edit: (inout Builder) -> Void
    ) throws(WorldError) {
        var builder = Builder(__edits: .init())
        edit(&builder)
        guard let named = data.schema.type(named: type.__type) else {
            throw WorldError(messages: ["\(name): the schema of the world has no type '\(type.__type)'"])
        }
        var edited = EditedOverrides(data)
        let fields = edited.fields(builder.__edits, of: named, name)
        guard edited.mistakes.isEmpty else { throw WorldError(messages: edited.mistakes) }
        try override(.object([.init(name, .object(fields))]))
    }
}
