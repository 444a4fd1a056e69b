#if DEBUG
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    /// The ranks of the locks that the calling thread holds, one bit for each rank.
    ///
    /// The ranks are tracked only in debug builds, on platforms with storage for each thread.
    enum HeldLocks {
        /// Explains why a lock of a rank must not be taken while others are held; nil if it may be taken.
        static func conflict(of rank: LockRank, with held: UInt) -> String? {
            guard held >> rank.rawValue != 0 else { return nil }
            let names = (0...LockRank.leaf.rawValue).filter { held >> $0 & 1 == 1 }.compactMap(LockRank.init)
            return "the lock \(rank) is taken while these are held: \(names)"
        }

        #if canImport(WinSDK)
            static func take(_ rank: LockRank) -> UInt { 0 }
            static func giveBack(_ held: UInt) {}
        #else
            private static let key: pthread_key_t = {
                var key = pthread_key_t()
                let failure = pthread_key_create(&key, nil)
                precondition(failure == 0, "a thread has no storage of its own")
                return key
            }()

            /// Notes that the calling thread is about to take a lock; returns the ranks that it held before.
            static func take(_ rank: LockRank) -> UInt {
                let held = UInt(bitPattern: pthread_getspecific(key))
                if let conflict = conflict(of: rank, with: held) { fatalError(conflict) }
                set(held | 1 << rank.rawValue)
                return held
            }

            /// Notes that the calling thread gave a lock back and holds the ranks `held` again.
            static func giveBack(_ held: UInt) { set(held) }

            private static func set(_ held: UInt) { pthread_setspecific(key, UnsafeRawPointer(bitPattern: held)) }
        #endif
    }
#endif
