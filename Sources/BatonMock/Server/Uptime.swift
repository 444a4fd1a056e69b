import Dispatch

/// The time since the machine was started, which no change of its date moves.
enum Uptime {
    static var milliseconds: Int { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

    static var microseconds: Int { Int(DispatchTime.now().uptimeNanoseconds / 1_000) }
}
