// Pictures of the screen and of the map, as far as they need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plainName } from "../../public/inspector/journal/lines.js";
import { pixelSize } from "../../public/inspector/picture/saving.js";

test("a picture has two pixels per unit, and fewer if it is large", () => {
  assert.deepEqual(pixelSize(384, 610.5), { width: 768, height: 1221 });
  assert.deepEqual(pixelSize(16_384, 4096), { width: 8192, height: 2048 });
  assert.deepEqual(pixelSize(100_000, 2), { width: 8192, height: 1 });
});

test("the name of a file has only letters, digits and hyphens", () => {
  assert.equal(plainName("The Shop", "/cart/items?page=2", 12), "the-shop-cart-items-page-2-12");
  assert.equal(plainName("…"), "");
});
