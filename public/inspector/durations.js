// @ts-check
// Times and durations, in words.

/** @type {[string, number][]} */
const units = [["d", 86_400], ["h", 3600], ["min", 60], ["s", 1]];

/**
 * Whole seconds in words, with at most three units: `4 min 59 s`.
 * @param {number} seconds
 */
export function duration(seconds) {
  let rest = seconds;
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  return parts.slice(first, first + 3).map(({ text }) => text).join(" ");
}

/**
 * The time since a date in its largest unit: `5 min ago`. A future time counts as now, because clocks can differ.
 * @param {string} time
 * @param {number} now In milliseconds.
 */
export function ago(time, now) {
  const seconds = Math.floor((now - Date.parse(time)) / 1000);
  const unit = units.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]} ago` : "now";
}
