// Numbers as people read them.

const whole = new Intl.NumberFormat("en");

/** @typedef {number | "inf" | "-inf" | null} Figure a number as JSON has it */

/** @param {number | null | undefined} value */
export const count = (value) => (value === null || value === undefined ? "–" : whole.format(value));
/** @param {Figure} value */
export const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

/** @param {Figure} value */
export function score(value) {
  const exact = number(value);
  if (exact === null || Number.isNaN(exact)) return "–";
  if (!Number.isFinite(exact)) return exact > 0 ? "∞" : "−∞";
  if (Number.isInteger(exact)) return count(exact).replace("-", "−");
  const size = Math.abs(exact);
  const text =
    size >= 1000
      ? whole.format(Math.round(exact))
      : size >= 100
        ? exact.toFixed(0)
        : size >= 10
          ? exact.toFixed(1)
          : exact.toFixed(2);
  return text.replace(/^-/, "−").replace(/^−0\.?0*$/, "0");
}

/** @param {number | null} share @param {number} [digits] */
export const percent = (share, digits = 1) => (share === null ? "–" : `${(100 * share).toFixed(digits)}%`);
/** @param {number | null} low @param {number | null} high */
export const interval = (low, high) =>
  low === null || high === null ? "–" : `${(100 * low).toFixed(1)}–${percent(high)}`;
/** @param {number} value */
export const times = (value) => (value === 1 ? "once" : value === 2 ? "twice" : `${count(value)} times`);
/** @param {number} value @param {string} noun */
export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
