/// Links that are looked up together. The memory is used again.
struct LinkBatch {
    var texts: [IDText] = []
    var states: [NodeStates.State] = []
    /// The positions at which the objects begin.
    var starts: [Int] = []
    /// The records that were found.
    var records: [RecordID] = []

    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        states.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    mutating func append(_ text: IDText, _ state: NodeStates.State, _ start: Int) {
        texts.append(text)
        states.append(state)
        starts.append(start)
    }
}
