// Numbers as people read them.

const whole = new Intl.NumberFormat("en");

export const count = (value) => (value === null || value === undefined ? "–" : whole.format(value));
export const number = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

export function score(value) {
  const exact = number(value);
  if (exact === null || exact === undefined || Number.isNaN(exact)) return "–";
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

export const percent = (share, digits = 1) =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)}%`;
export const interval = (low, high) =>
  low === null || high === null ? "–" : `${(100 * low).toFixed(1)}–${percent(high)}`;
export const times = (value) => (value === 1 ? "once" : value === 2 ? "twice" : `${count(value)} times`);
export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
