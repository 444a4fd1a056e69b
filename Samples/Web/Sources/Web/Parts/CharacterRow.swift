import Baton
import HTML
import StarWarsComponents

extension CharacterRow {
    /// A character in a list: the picture, the name, and what the character is.
    static func render(_ reference: FragmentReference<CharacterRow_character>, _ visit: Visit) -> HTML {
        guard let character = visit.environment.read(reference) else { return "" }
        let picture = Portrait.render(character.__typename, name: character.name, home: home(of: character))
        return """
            <li class="character">\(picture)
            <div><a href="\(WebAddress("characters", character.id))">\(character.name)</a>\
            <p class="facts sentence">\(description(of: character))</p></div></li>
            """
    }
}
