import BatonSchema
import BatonTransforms

// The builder of a struct: a property for each item of its set.

extension SelectionsGenerator {
    /// The builder of a struct with a name. `properties` are the names of the struct's properties, `types` the
    /// qualified names of the structs of objects, by position, and `nested` the builders of the structs nested in it.
    ///
    /// All builders of a definition are nested in one type, `FilmQuery.Builder`. Extensions of the structs themselves
    /// would be more than a module can have: Swift keeps those of all types with one name, such as `Data`, in one entry
    /// of at most 64 KB, and loses what does not fit.
    func builder(
        _ plan: SelectionPlan, _ name: String, _ role: String, _ shared: BuilderTypes, properties: [String],
        types: [String?], _ scope: NameScope, nested: [SwiftTypeDeclaration]
    ) -> SwiftTypeDeclaration {
        var scope = scope
        let parts = BuilderMembers(leaves: leaves, options: options)
        var members: [SwiftDeclaration] = []
        if plan.type.isAbstract { members.append(parts.choice(shared.choice(of: plan.type))) }
        for (position, item) in plan.items.enumerated() {
            switch item {
            case .field(let field):
                if field.definition.isDataID || field.isClient { continue }
                members.append(
                    parts.field(
                        properties[position], field.responseKey, field.definition, types[position].map(builderName)))
            case .inline(let inline):
                guard let type = types[position], !inline.isClient else { continue }
                members.append(
                    parts.part(properties[position], builderName(type), on: inline.hasTypeCondition ? inline.type : nil)
                )
            case .spread(let spread):
                let fragment = names.fragment(spread.fragment)
                if spread.isClient || withoutBuilders.contains(spread.fragment) { continue }
                let wanted = spread.alias ?? SwiftName.lowercasingFirst(fragment)
                let isTaken = nested.contains { $0.name == wanted }
                let name = scope.claim(isTaken ? wanted + "Fragment" : wanted)
                members.append(parts.part(name, fragment + "." + BuilderNames.nestedType, on: spread.typeCondition))
            }
        }
        return parts.structure(name, role, members + nested.map { .type($0) })
    }

    /// The qualified name of the builder of a struct with a qualified name.
    private func builderName(_ structure: String) -> String {
        let data = definition + ".Data"
        guard structure.hasPrefix(data) else { return structure }
        return definition + "." + BuilderNames.nestedType + structure.dropFirst(data.count)
    }
}
