import HTML

/// A rating: the number, and five stars filled up to it.
enum Stars {
    static func render(_ average: Double?) -> HTML {
        guard let average else { return "<span class=\"stars none\">No reviews yet</span>" }
        return picture(average, label: "\(average) of 5 stars")
            + "<span class=\"number\" aria-hidden=\"true\">\(average)</span>"
    }

    /// The stars of one review.
    static func render(of review: Int) -> HTML { picture(Double(review), label: "\(review) of 5 stars") }

    private static func picture(_ stars: Double, label: String) -> HTML {
        // Each star is 20 wide; what lies right of the rating is only an outline.
        let width = Int(min(max(stars, 0), 5) * 20)
        return """
            <svg class="stars" role="img" aria-label="\(label)" viewBox="0 0 100 20" width="80" height="16">\
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
