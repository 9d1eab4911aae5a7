// Where in the corpus something stands: one thin column for each stretch, darker where it is more often.

import { svg } from "./dom.js";

/** @param {number[]} bins @param {string} label */
export function strip(bins, label) {
  const most = Math.max(...bins, 1);
  const marks = bins.map((f, k) =>
    f
      ? svg("rect", {
          class: "seen",
          x: k,
          y: 0,
          width: 1.02,
          height: 26,
          "fill-opacity": (0.25 + 0.75 * Math.sqrt(f / most)).toFixed(2),
        })
      : null,
  );
  return svg(
    "svg",
    {
      class: "chart strip",
      viewBox: `0 0 ${bins.length} 26`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label,
    },
    svg("rect", { class: "ground", x: 0, y: 0, width: bins.length, height: 26 }),
    marks,
  );
}
