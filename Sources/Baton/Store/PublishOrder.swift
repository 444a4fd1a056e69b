/// What only one publish at a time may look at or change, besides the records themselves.
struct PublishOrder {
    /// The optimistic layers, in order.
    var layers = LayerStack()
}
