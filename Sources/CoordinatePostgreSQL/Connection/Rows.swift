internal import CPostgreSQL
internal import CoordinateSessions

/// The result of a statement: its rows, in binary form. It owns a `PGresult`.
@safe final class Rows {
    private let raw: OpaquePointer

    /// Creates the result, which owns the `PGresult` from then on.
    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
    }

    deinit {
        unsafe PQclear(raw)
    }

    var status: ExecStatusType { unsafe PQresultStatus(raw) }

    /// The error message, if the result is an error.
    var message: ServerMessage { unsafe ServerMessage(of: raw) }

    var count: Int { unsafe Int(PQntuples(raw)) }

    /// The number of columns. Rows and columns are numbered from 0.
    private var width: Int { unsafe Int(PQnfields(raw)) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        check(row, column)
        return unsafe PQgetisnull(raw, Int32(row), Int32(column)) == 1
    }

    /// An integer of any size.
    func int(_ row: Int, _ column: Int) -> Int {
        let bytes = unsafe value(row, column)
        let negative: UInt64 = unsafe (bytes.first ?? 0) >= 0x80 ? .max : 0
        return unsafe Int(Int64(bitPattern: bytes.reduce(negative) { $0 << 8 | UInt64($1) }))
    }

    func bool(_ row: Int, _ column: Int) -> Bool {
        unsafe value(row, column).first == 1
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
        unsafe [UInt8](value(row, column))
    }

    func text(_ row: Int, _ column: Int) -> String {
        unsafe String(decoding: value(row, column), as: UTF8.self)
    }

    /// The texts in the first column.
    var texts: [String] { (0..<count).map { text($0, 0) } }

    /// The ids in the first column.
    var sessions: [SessionID] { (0..<count).compactMap { SessionID(utf8: bytes($0, 0).span) } }

    /// The bytes of a value; empty for null.
    private func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        check(row, column)
        return unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(raw, Int32(row), Int32(column)),
            count: Int(PQgetlength(raw, Int32(row), Int32(column))))
    }

    private func check(_ row: Int, _ column: Int) {
        precondition(row >= 0 && row < count && column >= 0 && column < width)
    }
}

extension ServerMessage {
    init(of result: OpaquePointer) {
        func field(_ code: Unicode.Scalar) -> String {
            unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) } ?? ""
        }
        // Swift does not see libpq's macros for the fields: PG_DIAG_SEVERITY_NONLOCALIZED, …_SQLSTATE,
        // …_MESSAGE_PRIMARY.
        self.init(severity: field("V"), code: field("C"), text: field("M"))
    }
}
