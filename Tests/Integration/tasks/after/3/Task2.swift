import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let input = ReviewInput(filmID: film, stars: stars, comment: comment)
    let optimistic = OptimisticUpdate<AddReviewMutation>.update { store in
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
        let reviews = record.field("reviews")
        if reviews.linkedRecords == nil, !reviews.isMissing {
            // The list is known to be null.
            try record.setLinkedRecords([review], forField: "reviews")
        } else {
            try record.append(review, toList: "reviews")
        }
    }
    do throws(RelayError) {
        let response = try await environment.commit(AddReviewMutation(input: input), optimistic: optimistic)
        let data = try response.result.get()
        if data?.addReview == nil, let refusal = response.errors.first {
            return refusal.message
        }
        return "sent"
    } catch {
        if error.kind == .server, let refusal = error.graphQLErrors.first {
            return refusal.message
        }
        return "not sent"
    }
}
