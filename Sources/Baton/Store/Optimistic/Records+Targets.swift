extension Records {
    /// Writes the results of layers into the version that was just merged.
    mutating func setTargets(_ targets: [LayerReplay.Target], _ names: NameTable, _ changes: inout ChangeSet) {
        for target in targets {
            switch target.top {
            case .unchanged: break
            case .whole(let new): setWhole(target.record, to: new, at: epoch, &changes)
            case .fields(let keys, let values): setFields(target.record, keys, to: values, names, &changes)
            }
            var base: WholeRecord?
            switch target.base {
            case .unchanged: continue
            case .covered(let own): base = own
            case .uncovered: break
            }
            if let old = covered[target.record] {
                for value in old.values { changes.retired.add(value) }
            }
            covered[target.record] = base
        }
    }
}
