import Baton
import HTML

/// One review.
enum ReviewRow {
    private static let fragment = graphql(
        """
        fragment ReviewRow_review on Review {
          id
          stars
          commentary
        }
        """
    )

    static func render(_ reference: FragmentReference<ReviewRow_review>, in environment: RelayEnvironment) -> HTML {
        guard let review = environment.read(reference) else { return "" }
        let text: HTML =
            review.commentary.map { "<blockquote>\($0)</blockquote>" } ?? "<p class=\"empty\">No words.</p>"
        return "<li data-review=\"\(review.id)\">\(Stars.render(of: review.stars))\(text)</li>"
    }
}
