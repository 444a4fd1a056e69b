import Baton

func deprecated(_ data: DeprecationsQuery.Data.Deprecations) -> State {
    print(data.old ?? "")  // warning: 'old' is deprecated: Use "new" \ instead.
    print(data.older)  // warning: 'older' is deprecated: No longer supported
    print(data.new ?? "")
    return .old  // warning: 'old' is deprecated: It is old.
}
