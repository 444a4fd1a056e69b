import Baton
import Films

func send(stars: Int, comment: String?, film: String, in environment: RelayEnvironment) async -> String {
    let mutation = AddReviewMutation(input: ReviewInput(filmID: film, stars: stars, comment: comment))
    let preview = OptimisticUpdate<AddReviewMutation>.update { store in
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
        if reviews.linkedRecords == nil && !reviews.isMissing {
            // The film has no list yet: it is null, so that nothing could be appended.
            try reviews.setLinkedRecords([review])
        } else {
            try reviews.append(review)
        }
    }
    do throws(RelayError) {
        let response = try await environment.commit(mutation, optimistic: preview)
        if response.data?.addReview == nil, let refusal = response.errors.first {
            return refusal.message
        }
        return response.data == nil ? "not sent" : "sent"
    } catch {
        return error.graphQLErrors.first?.message ?? "not sent"
    }
}
