import Baton
import StarWarsComponents
import TerminalRenderer

extension ReviewRow {
    static func draw(_ review: ReviewRow_review.Data, _ row: RowState) -> any Element {
        Row(gap: 2) {
            Text.stars(Rating(review.stars))
            if let commentary = review.commentary {
                Text(commentary).wrapped.filling(height: 0)
            } else {
                Text.faint(withoutWords)
            }
        }
    }
}
