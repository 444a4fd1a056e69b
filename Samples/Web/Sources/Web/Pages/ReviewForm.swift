import HTML
import StarWarsComponents

/// The form for a review: what was typed, and what is wrong with it.
struct ReviewForm: Sendable {
    static let longestText = 2_000

    var stars = ""
    var commentary = ""
    /// Chosen when the form is made, and sent along with each attempt, so that a review is added once.
    var key: String?
    private(set) var starsProblem: String?
    private(set) var commentaryProblem: String?

    init() {}

    /// Takes what was sent.
    init(_ fields: Parameters) {
        stars = fields["stars"] ?? ""
        commentary = fields["commentary"] ?? ""
        key = fields["key"].flatMap { Token(sent: $0)?.text }
    }

    /// The number of stars, if everything is right; otherwise notes what is wrong.
    mutating func checked() -> Int? {
        let number = Int(stars).flatMap { (1...Rating.most).contains($0) ? $0 : nil }
        starsProblem = number == nil ? "Choose from one to five stars." : nil
        commentaryProblem =
            commentary.unicodeScalars.count > Self.longestText
            ? "That is too long: \(Self.longestText) characters fit." : nil
        return commentaryProblem == nil ? number : nil
    }

    /// A hidden field at the end of the page with a new key. It belongs to the form, wherever it stands.
    static let key = SentOnce { "<input type=\"hidden\" name=\"key\" form=\"review\" value=\"\(Token().text)\">" }

    func render(_ id: String) -> HTML {
        let choices = (1...Rating.most).map { number -> HTML in
            """
            <label><input type="radio" name="stars" value="\(number)"\("checked", if: stars == "\(number)")\
            \("aria-describedby", is: starsProblem == nil ? nil : "stars-problem") required>\
            <span>\(number)</span><span class="hidden"> \(number == 1 ? "star" : "stars")</span></label>
            """
        }
        let hidden: HTML = key.map { "<input type=\"hidden\" name=\"key\" value=\"\($0)\">" } ?? ""
        return """
            <form id="review" class="review" method="post" action="\(WebAddress("films", id, "reviews"))">
            <h3>Write a review</h3>
            <fieldset\("class", is: starsProblem == nil ? nil : "wrong")><legend>Stars</legend>\(choices)\
            \(problem("stars-problem", starsProblem))</fieldset>
            <div\("class", is: commentaryProblem == nil ? nil : "wrong")><label for="commentary">Your thoughts</label>
            <textarea id="commentary" name="commentary" rows="4" \
            aria-describedby="\(commentaryProblem == nil ? "hint" : "commentary-problem")"\
            \("aria-invalid", is: commentaryProblem == nil ? nil : "true")>\n\(commentary)</textarea>
            <p id="hint" class="facts">Up to \(Self.longestText) characters.</p>\
            \(problem("commentary-problem", commentaryProblem))</div>
            <button>Send the review</button>\(hidden)</form>
            """
    }

    private func problem(_ id: String, _ text: String?) -> HTML? {
        text.map { text -> HTML in "<p class=\"problem\" id=\"\(id)\">\(text)</p>" }
    }
}
