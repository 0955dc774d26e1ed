/// A setting that says who may do what, and says something that cannot be.
package struct UnfitSetting: Error {
    /// A sentence on what is wrong, and where it is to be corrected.
    let description: String

    init(_ reason: String, key: String, variable: String) {
        description = "\(reason): correct \(variable), or \"\(key)\" in the configuration file."
    }
}
