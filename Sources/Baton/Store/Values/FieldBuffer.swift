/// A buffer for the values of one object between a response and a row. Its memory is used again for the next object.
struct FieldBuffer: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var values: UnsafeMutablePointer<Value>

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        values = .allocate(capacity: self.capacity)
    }

    deinit {
        values.deinitialize(count: count)
        values.deallocate()
    }

    @inline(__always)
    mutating func append(_ value: consuming Value) {
        if count == capacity { grow() }
        (values + count).initialize(to: value)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: values, count: count)
        values.deallocate()
        values = larger
        capacity *= 2
    }

    subscript(index: Int) -> Value {
        precondition(index >= 0 && index < count)
        return values[index]
    }

    mutating func removeAll() {
        values.deinitialize(count: count)
        count = 0
    }

    /// Passes the values to a caller that moves them out at once. There must be `expected` values.
    @inline(__always)
    mutating func takeAll(_ expected: Int) -> UnsafeMutablePointer<Value> {
        precondition(count == expected)
        count = 0
        return values
    }
}
