internal import Dispatch
internal import FuzzTargets

/// The target that `--target=json` names. libFuzzer ignores arguments with two dashes.
private let target: FuzzTarget = {
    let option = "--target="
    let name = CommandLine.arguments.last { $0.hasPrefix(option) }?.dropFirst(option.count)
    guard let target = FuzzTarget.all.first(where: { $0.name == name ?? "" }) else {
        fatalError("Name a target, \(option)NAME, of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    return target
}()

/// libFuzzer contains the main function, and calls this with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func tryInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let isDone = DispatchSemaphore(value: 0)
    Task {
        do {
            try await target.check(input)
        } catch {
            fatalError("\(target.name): \(error)")
        }
        isDone.signal()
    }
    isDone.wait()
    return 0
}
