import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let text: JSONValue
    if let comment {
        text = .string(comment)
    } else {
        text = .null
    }
    let input = ReviewInput(filmID: film, stars: stars, comment: comment)
    do throws(RelayError) {
        let response = try await environment.commit(
            AddReviewMutation(input: input),
            optimistic: .update { store in
                guard let record = store.get("Film", id: film) else { return }
                let reviews = record.field("reviews")
                // Of a list that was never fetched the other items are not known.
                if reviews.isMissing { return }
                let review: RecordProxy
                if let existing = store.get("Review", id: "new") {
                    review = existing
                } else {
                    review = try store.create("Review", id: "new")
                }
                try review.setValue(.int(stars), forField: "stars")
                try review.setValue(text, forField: "comment")
                if reviews.linkedRecords == nil {
                    try reviews.setLinkedRecords([review])
                } else {
                    try reviews.append(review)
                }
            })
        let data = try response.result.get()
        if data?.addReview != nil { return "sent" }
        return response.errors.first?.message ?? "not sent"
    } catch {
        guard error.kind == .server, let first = error.graphQLErrors.first else { return "not sent" }
        return first.message
    }
}
