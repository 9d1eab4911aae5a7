// Drawn charts become charts that answer to the mouse. Without this script the drawings stay.
for (const figure of document.querySelectorAll("figure")) {
  const specification = JSON.parse(figure.querySelector("script").textContent);
  const options = { actions: false, renderer: "svg", logLevel: 0 };
  vegaEmbed(figure.querySelector(".chart"), specification, options).catch(() => {});
}
