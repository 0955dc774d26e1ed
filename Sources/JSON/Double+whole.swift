internal import Coordinate

extension Double {
    /// The whole number that this is written as and read as: 3.0 is 3, and both are 3.0 again where any number will do. Nil
    /// where there is none, as there is no -0.
    @usableFromInline package var whole: Int? {
        self == 0 && sign == .minus ? nil : Int(whole: self)
    }
}
