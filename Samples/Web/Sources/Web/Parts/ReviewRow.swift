import Baton
import HTML
import StarWarsComponents

extension ReviewRow {
    static func render(_ reference: FragmentReference<ReviewRow_review>, in environment: RelayEnvironment) -> HTML {
        guard let review = environment.read(reference) else { return "" }
        let text: HTML =
            review.commentary.map { "<blockquote dir=\"auto\">\($0)</blockquote>" }
            ?? "<p class=\"empty sentence\">\(withoutWords)</p>"
        return "<li data-review=\"\(review.id)\">\(Stars.render(of: review.stars))\(text)</li>"
    }
}
