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

    /// The commentary as it is kept; nil if there is nothing to read in it.
    var text: String? {
        let text = VisibleText.cleaned(commentary.replacing("\r\n", with: "\n"), keepingLines: true)
        return VisibleText.isBlank(text) ? nil : text
    }

    /// The number of stars, if everything is right; otherwise notes what is wrong.
    mutating func checked() -> Int? {
        let number = (1...Rating.most).first { "\($0)" == stars }
        starsProblem = number == nil ? "Choose from one to five stars." : nil
        commentaryProblem =
            commentary.unicodeScalars.count > Self.longestText
            ? "That is too long: \(Self.longestText) characters fit." : nil
        return commentaryProblem == nil ? number : nil
    }

    /// The key of this review of the film: that of the form, and what was typed into it. A browser that goes back sends
    /// the form's key again, with another text perhaps.
    func submissionKey(_ film: String) -> String? {
        key.map { "\($0)-\(digest(film))" }
    }

    /// What was typed about the film, in short.
    func digest(_ film: String) -> String { Reply.version(of: Array("\(film)\0\(stars)\0\(text ?? "")".utf8)) }

    /// A hidden field at the end of the page with a new key. It belongs to the form, wherever it stands.
    static let key = SentOnce { "<input type=\"hidden\" name=\"key\" form=\"review\" value=\"\(Token().text)\">" }

    /// What is wrong, each with the place of the field.
    var problems: [(place: String, text: String)] {
        [("#stars-1", starsProblem), ("#commentary", commentaryProblem)].compactMap { place, text in
            text.map { (place, $0) }
        }
    }

    /// Where the form stands: its heading is one level below that of what it is a part of.
    enum Level { case page, section }

    func render(_ id: String, level: Level = .section) -> HTML {
        let choices = (1...Rating.most).map { number -> HTML in
            """
            <label><input id="stars-\(number)" type="radio" name="stars" value="\(number)"\
            \("checked", if: stars == "\(number)") required>\(Stars.one)\
            <span class="hidden">\(number) \(number == 1 ? "star" : "stars")</span></label>
            """
        }
        let hidden: HTML = key.map { "<input type=\"hidden\" name=\"key\" value=\"\($0)\">" } ?? ""
        let heading: HTML = level == .page ? "<h2>Write a review</h2>" : "<h3>Write a review</h3>"
        return """
            <form id="review" class="review" method="post" action="\(WebAddress("films", id, "reviews"))">
            \(heading)
            <fieldset role="radiogroup" class="\(starsProblem == nil ? "rating" : "rating wrong")"\
            \("aria-invalid", is: starsProblem == nil ? nil : "true")\
            \("aria-describedby", is: starsProblem == nil ? nil : "stars-problem")><legend>Stars</legend>\
            <div class="choices">\(choices)</div>\
            \(problem("stars-problem", starsProblem))</fieldset>
            <div\("class", is: commentaryProblem == nil ? nil : "wrong")><label for="commentary">Your thoughts</label>
            <textarea id="commentary" name="commentary" rows="4" dir="auto" \
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
