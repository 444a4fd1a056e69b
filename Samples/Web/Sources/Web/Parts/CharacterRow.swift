import Baton
import HTML
import StarWarsComponents

extension CharacterRow {
    /// A character in a list: the picture, the name, and what the character is.
    static func render(_ reference: FragmentReference<CharacterRow_character>, _ visit: Visit) -> HTML {
        guard let character = visit.environment.read(reference) else { return "" }
        // What a droid was built for is a sentence rather than an adjective.
        let facts = character.asDroid.map { "Droid: \($0.primaryFunction)" } ?? description(of: character)
        let picture = Portrait.render(character.__typename, name: character.name, home: home(of: character))
        return """
            <li class="character">\(picture)
            <div><a href="\(WebAddress("characters", character.id))">\(character.name)</a>\
            <p class="facts sentence">\(facts)</p></div></li>
            """
    }
}
