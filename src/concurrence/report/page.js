// Drawn charts become charts that answer to the mouse. Without this script the drawings stay.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const faint = () => getComputedStyle(document.documentElement).getPropertyValue("--line").trim();

  const config = () => ({
    background: "transparent",
    axis: { labelColor: ink(), titleColor: ink(), gridColor: faint(), domainColor: faint(), tickColor: faint() },
    legend: { labelColor: ink(), titleColor: ink() },
    title: { color: ink(), subtitleColor: ink() },
    header: { labelColor: ink(), titleColor: ink() },
    view: { stroke: "transparent" },
  });

  const draw = () => {
    for (const figure of document.querySelectorAll("figure")) {
      const holder = figure.querySelector(".chart");
      const specification = JSON.parse(figure.querySelector("script").textContent);
      const merged = { ...specification, config: { ...specification.config, ...config() } };
      vegaEmbed(holder, merged, { actions: false, renderer: "svg" }).catch(() => {});
    }
  };

  draw();
  dark.addEventListener("change", draw);
})();
