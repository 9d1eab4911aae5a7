// Keeping what is seen: tables as CSV from the server, charts as SVG with their colours inside.

import { el, SVG } from "./dom.js";

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
];

/** @param {string} href */
export const csv = (href) => el("a", { class: "keep", href, download: "" }, "CSV");

/** @param {string} selector of the chart @param {string} name of the file */
export function svgButton(selector, name) {
  const onclick = () => {
    const chart = document.querySelector(selector);
    if (chart) save(chart, name);
  };
  return el("button", { type: "button", class: "keep", id: `keep--${name}`, onclick }, "SVG");
}

/** @param {Element} chart @param {string} name */
function save(chart, name) {
  const copy = /** @type {Element} */ (chart.cloneNode(true));
  const inside = [chart, ...chart.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, k) => {
    const style = getComputedStyle(inside[k]);
    for (const property of PROPERTIES) node.setAttribute(property, style.getPropertyValue(property));
    node.removeAttribute("class");
  });
  for (const node of copy.querySelectorAll("[data-only-here], [opacity='0']")) node.remove();
  const background = document.createElementNS(SVG, "rect");
  background.setAttribute("width", "100%");
  background.setAttribute("height", "100%");
  background.setAttribute("fill", getComputedStyle(document.documentElement).backgroundColor);
  copy.prepend(background);
  copy.setAttribute("xmlns", SVG);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  el("a", { href: url, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
