import Baton
import StarWarsComponents
import TerminalRenderer

/// The form for a review of a film: stars, and words if there are any. What is written stays when the form closes.
final class ReviewForm: Component {
    private unowned let app: App
    private let film: String
    private let title: String
    private let draft: ReviewDraft

    init(of film: String, title: String, in app: App) {
        (self.film, self.title, self.app, draft) = (film, title, app, app.draft(of: film))
    }

    var content: any Element {
        let isRating = draft.isRating
        return Sizing { [self] size in
            let keys = "tab \(isRating ? "words" : "stars")  ctrl-s send  esc leave"
            // On a low screen there is space for what takes the keys, and the border says which keys there are.
            let rows = size.height > 2 ? size.height - 2 : size.height
            Box("Review of \(title)", footer: size.width < 44 ? "ctrl-s send  esc leave" : keys, isFocused: true) {
                Column {
                    if rows > 1 || isRating { stars }
                    if rows > 6 { Spacer.rows(1) }
                    if rows > 1 || !isRating { words.frame(width: 46, height: max(1, min(5, rows - 1))) }
                }
                .padding(horizontal: 1)
            }
        }
        .onKey { [self] in press($0) }
        .onPaste { [self] in draft.paste($0) }
    }

    private var stars: any Element {
        Row(gap: 2) {
            Text.stars(Rating(draft.stars)).restyled { [isRating = draft.isRating] in $0.isUnderlined = isRating }
            Text.faint(draft.isRating ? "1 to \(Rating.most), or left and right" : "")
        }
    }

    private var words: TextField {
        TextField(draft.text, isFocused: !draft.isRating, placeholder: "What did you think of it?")
    }

    private func press(_ key: Key) -> Bool {
        switch key {
        case .control("s"): (app.overlay, _) = (nil, app.sendReview(of: film))
        case .escape: app.overlay = nil
        case .control("c"), .control("z"): return false
        default: draft.press(key)
        }
        return true
    }
}
