import Baton
import StarWarsComponents
import TerminalRenderer

/// The form for a review of a film: stars, and words if there are any.
final class ReviewForm: Component {
    private unowned let app: App
    private let film: String
    private let title: String
    private let text = TextInput(hasLines: true)
    private var stars = 5
    /// True while keys choose the stars.
    private var isRating = true

    init(of film: String, title: String, in app: App) {
        (self.film, self.title, self.app) = (film, title, app)
    }

    var content: any Element {
        Box("Review of \(title)", isFocused: true) {
            Column {
                Row(gap: 2) {
                    Text.stars(Rating(stars)).restyled { [isRating] in $0.isUnderlined = isRating }
                    Text.faint(isRating ? "1 to \(Rating.most), or left and right" : "")
                }
                Spacer.rows(1)
                TextField(text, isFocused: !isRating, placeholder: "What did you think of it?")
                    .frame(width: 46, height: 5)
                Spacer.rows(1)
                KeyHints([("tab", isRating ? "words" : "stars"), ("ctrl-s", "send"), ("esc", "leave")])
            }
            .padding(horizontal: 1)
        }
        .onKey { [self] in press($0) }
    }

    private func press(_ key: Key) -> Bool {
        switch key {
        case .control("s"): send()
        case .escape: app.overlay = nil
        case .control("c"), .control("z"): return false
        case .tab, .shift(.tab): isRating.toggle()
        case .enter, .down: isRating = false
        case .left: stars = max(1, stars - 1)
        case .right: stars = min(Rating.most, stars + 1)
        case .character(let digit):
            if let number = digit.wholeNumberValue, (1...Rating.most).contains(number) { stars = number }
        default: break
        }
        return true
    }

    private func send() {
        let words = text.text.isEmpty ? nil : text.text
        app.commit(ReviewFormMutation(input: CreateReviewInput(filmId: film, stars: stars, commentary: words)))
        app.overlay = nil
    }
}
