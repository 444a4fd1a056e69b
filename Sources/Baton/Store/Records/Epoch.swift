/// The number of a version of a store. Every publish and every invalidation makes the next.
package typealias Epoch = UInt64
