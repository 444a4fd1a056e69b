extension RandomAccessCollection where Index == Int {
    /// The element at an index; nil where there is none.
    func element(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
