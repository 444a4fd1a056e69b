import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let input = ReviewInput(filmID: film, stars: stars, comment: comment)
    do throws(RelayError) {
        let response = try await environment.commit(
            AddReviewMutation(input: input),
            optimistic: .update { store in
                guard let record = store.get("Film", id: film) else { return }
                let review: RecordProxy
                if let existing = store.get("Review", id: "new") {
                    review = existing
                } else {
                    review = try store.create("Review", id: "new")
                }
                try review.setValue(.string("new"), forField: "id")
                try review.setValue(.int(stars), forField: "stars")
                if let comment {
                    try review.setValue(.string(comment), forField: "comment")
                } else {
                    try review.setValue(.null, forField: "comment")
                }
                var reviews: [RecordProxy?] = record.linkedRecords(forField: "reviews") ?? []
                if !reviews.contains(review) { reviews.append(review) }
                try record.setLinkedRecords(reviews, forField: "reviews")
            })
        // The server has refused also if it answers the payload with null and says why.
        if response.data?.addReview?.film == nil, let refusal = response.errors.first { return refusal.message }
        if response.result.error != nil { return "not sent" }
        return "sent"
    } catch {
        if error.kind == .server, let refusal = error.graphQLErrors.first { return refusal.message }
        return "not sent"
    }
}
