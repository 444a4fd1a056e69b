import StarWarsComponents
import TerminalRenderer

/// A review that is being written. It is kept when its form closes, until it is sent.
@MainActor
final class ReviewDraft {
    /// What is sent.
    struct Content: Hashable, Sendable {
        var stars = 5
        var words = ""
    }

    let text = TextInput(hasLines: true)
    private(set) var stars = Content().stars
    /// True while arrows and digits choose the stars; everything else goes to the words.
    private(set) var isRating = false

    /// Takes a key that the words have not taken.
    func press(_ key: Key) {
        switch key {
        case .tab, .shift(.tab): isRating.toggle()
        case .enter, .down: isRating = false
        case .left: stars = max(1, stars - 1)
        case .right: stars = min(Rating.most, stars + 1)
        case .character(let character):
            if let number = character.wholeNumberValue, (1...Rating.most).contains(number) {
                stars = number
            } else {
                (isRating, _) = (false, text.press(key))
            }
        default: break
        }
    }

    /// Takes a pasted text that the words have not taken.
    func paste(_ text: String) -> Bool {
        (isRating, _) = (false, self.text.insert(text))
        return true
    }

    /// Takes what was written, for sending. The draft is empty then.
    func take() -> Content {
        let content = Content(stars: stars, words: text.text)
        (stars, isRating, _) = (Content().stars, false, text.replace(with: ""))
        return content
    }

    /// Puts back what could not be sent, before what was written meanwhile.
    func putBack(_ content: Content) {
        let newer = text.text
        stars = newer.isEmpty ? content.stars : stars
        text.replace(with: [content.words, newer].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}
