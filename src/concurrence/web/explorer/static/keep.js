// Keeping what is seen: tables as CSV from the server, charts as SVG with their colours inside.

import { el } from "./dom.js";

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

export const csv = (href) => el("a", { class: "keep", href, download: "" }, "CSV");

export function svgButton(find, name) {
  return el("button", { type: "button", class: "keep", id: `keep--${name}`, onclick: () => save(find(), name) }, "SVG");
}

function save(chart, name) {
  if (!chart) return;
  const copy = chart.cloneNode(true);
  const inside = [chart, ...chart.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, k) => {
    const style = getComputedStyle(inside[k]);
    for (const property of PROPERTIES) node.setAttribute(property, style.getPropertyValue(property));
    node.removeAttribute("class");
  });
  for (const node of copy.querySelectorAll("[data-only-here], [opacity='0']")) node.remove();
  const background = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({
    width: "100%",
    height: "100%",
    fill: getComputedStyle(document.documentElement).backgroundColor,
  }))
    background.setAttribute(key, value);
  copy.prepend(background);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  el("a", { href: url, download: `${name}.svg` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
