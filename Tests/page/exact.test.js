import assert from "node:assert/strict";
import { test } from "node:test";

import { ExactNumber, isNumber, numberIn, readJSON, writeJSON } from "../../public/inspector/exact.js";

const texts = [
  '{"a":12345678901234567890,"b":[1,-9007199254740993,0.1],"c":"12345678901234567890"}',
  '{"number":"x","a":1e400}', '[]', '"\\"12345678901234567890"', 'null', '{"a":{"b":1.00000000000000000001}}',
];

for (const text of texts) {
  test(`${text} stays unchanged`, () => assert.equal(writeJSON(readJSON(text)), text));
}

test("only numbers that would be rounded are read as exact numbers", () => {
  for (const text of ["0", "-1", "9007199254740991", "0.1", "1e3"]) assert.equal(numberIn(text), Number(text));
  for (const text of ["9007199254740993", "1e400", "0.1234567890123456789"]) {
    assert.ok(numberIn(text) instanceof ExactNumber, text);
    assert.equal(String(numberIn(text)), text);
  }
});

test("a number is what JSON defines", () => {
  for (const text of ["0", "-1.5", "1e+3"]) assert.ok(isNumber(text), text);
  for (const text of ["01", "+1", ".5", "1.", "0x1", "", " 1", "NaN"]) assert.ok(!isNumber(text), text);
});

test("text that is not JSON is refused", () => {
  for (const text of ["{", "12345678901234567890x", "[1,]"]) assert.throws(() => readJSON(text), SyntaxError);
});
