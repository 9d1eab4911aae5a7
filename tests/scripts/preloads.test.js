// A page names the modules it will need, so that the browser asks for all of them at once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../src/concurrence/web/", import.meta.url);
const IMPORT = /^(?:import|export) [^;]*?from "\.\/([\w/]+)\.js";/gms;

/** @param {string} name @param {Set<string>} [seen] @returns {Set<string>} */
function modulesOf(name, seen = new Set()) {
  const text = readFileSync(new URL(`static/${name}.js`, WEB), "utf-8");
  for (const [, other] of text.matchAll(IMPORT)) {
    if (seen.has(other)) continue;
    seen.add(other);
    modulesOf(other, seen);
  }
  return seen;
}

for (const page of ["coder", "adjudicate"]) {
  test(`the ${page} page preloads every module that it imports`, () => {
    const template = readFileSync(new URL(`templates/${page}.html`, WEB), "utf-8");
    const [, names] = /\{% for name in (\[.*?\]) %\}\n<link rel="modulepreload"/.exec(template) ?? [];
    assert.deepEqual(JSON.parse(names), [...modulesOf(page)].sort());
  });
}
