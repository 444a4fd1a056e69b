import Baton
import HTML
import StarWarsComponents

extension CharacterFacts {
    /// The head of a character's page.
    static func render(
        _ reference: FragmentReference<CharacterFacts_character>,
        affiliations: [AffiliationRow_affiliation.Data],
        _ visit: Visit
    ) -> HTML {
        guard let character = visit.environment.read(reference) else { return "" }
        var facts = labelled(character)
        let belongs = affiliations.map { AffiliationRow.description(of: $0) }
        for (kind, label) in [("planet", "World"), ("species", "Species"), ("starship", "Flies in")] {
            let names = belongs.filter { $0.kind == kind }.map(\.name)
            if !names.isEmpty { facts.append((label, names.joined(separator: ", "))) }
        }
        let rows = facts.map { fact -> HTML in "<div><dt>\(fact.label)</dt><dd>\(fact.text)</dd></div>" }
        let home = affiliations.lazy.compactMap { $0.asPlanet?.name }.first
        let aliases: HTML =
            character.aliases.isEmpty ? "" : "<p class=\"lead\">\(character.aliases.joined(separator: ", "))</p>"
        return """
            <div class="hero person">\(Portrait.render(character.__typename, name: character.name, home: home, size: 160))
            <div><p class="episode">\(character.__typename)</p><h1>\(character.name)</h1>\(aliases)
            <dl class="facts">\(rows)</dl>\(HeightScale.render(height(of: character), name: character.name))</div></div>
            """
    }
}
