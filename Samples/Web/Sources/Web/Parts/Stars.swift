import HTML
import StarWarsComponents

/// A rating: the number, and five stars filled up to it.
enum Stars {
    static func render(_ average: Double?) -> HTML {
        let rating = Rating(average)
        if average == nil { return "<span class=\"stars none sentence\">\(rating.words)</span>" }
        return picture(rating) + "<span class=\"number\" aria-hidden=\"true\">\(rating.number)</span>"
    }

    /// The stars of one review.
    static func render(of review: Int) -> HTML { picture(Rating(review)) }

    /// One star, for a choice of some.
    static let one: HTML =
        "<svg viewBox=\"0 0 20 20\" width=\"28\" height=\"28\" aria-hidden=\"true\"><use href=\"#stars\"/></svg>"

    private static func picture(_ rating: Rating) -> HTML {
        // Each star is 20 wide; what lies right of the rating is only an outline.
        let width = Int(rating.share * 100)
        return """
            <svg class="stars" role="img" aria-label="\(rating.words)" viewBox="0 0 100 20" width="80" height="16">\
            <use class="off" href="#stars"/><svg width="\(width)" height="20"><use class="on" href="#stars"/></svg></svg>
            """
    }

    /// The outline of five stars, once in a page; each rating refers to it.
    static let outline: HTML =
        "<svg class=\"hidden\" aria-hidden=\"true\"><defs><path id=\"stars\" d=\"\(row)\"/></defs></svg>"

    private static let row = (0..<5).map { number in
        "M\(number * 20 + 10) 1.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6-4.4-4.2 6-.8z"
    }.joined()
}
