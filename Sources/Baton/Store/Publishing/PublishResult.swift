/// The result of a publish.
enum PublishResult {
    case published(PublishEffect)
    /// Nothing landed, because the store was emptied since the work began.
    case refused
    /// Nothing landed, because the data that the update read has changed since.
    case overtaken
}
