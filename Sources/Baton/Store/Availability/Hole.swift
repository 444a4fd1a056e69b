/// A part of the data that a read does not show, because a value in it is absent.
struct Hole {
    /// The reason why the value is absent.
    enum Reason {
        case deleted
        case null
        case missing
        /// The stored value is of another type, or its conversion throws.
        case unfit
    }

    /// The part that is not shown.
    enum Extent {
        case everything
        case field
        case item
        /// An item that its list leaves out.
        case leftOutItem
        /// The fields under a type condition.
        case inline(TypeID)
    }

    let reason: Reason
    /// The place of the absent value; the key is nil for a record that is deleted or unknown.
    var place: MissingPlace
    /// The path of the part that is not shown.
    var path: [JSONValue.PathComponent] = []
    var extent = Extent.everything
}
