// `npm run docs`: builds the documents and the reference of the API into one static site, which the server shows at
// /docs as soon as it is there. `npm run docs -- FOLDER` puts it elsewhere.
//
// Guarantees: nothing is loaded from elsewhere, neither by the build nor by the pages; pages hold no script of their
// own text, so the server's policy may forbid these; a site that is there stays until the new one is whole.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "vitepress";
import { root } from "./prepare.mjs";
import { stageSite } from "./site/stage-site.mjs";

const BASE = "/docs/";
const target = resolve(process.argv[2] ?? `${root}dist/site`);

mkdirSync(`${root}dist`, { recursive: true });
// Below the clone, because the pages' packages are looked for upwards from here.
const work = mkdtempSync(`${root}dist/site-`);
try {
  stageSite(`${work}/source`, BASE);
  await build(`${work}/source`, { outDir: `${work}/site`, logLevel: "warn" });
  moveScripts(`${work}/site`);
  rmSync(target, { recursive: true, force: true });
  renameSync(`${work}/site`, target);
  console.log(`${target}: ${htmlFiles(target).length} pages`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Scripts in the text of a page become files. */
function moveScripts(site) {
  for (const file of htmlFiles(site)) {
    const text = readFileSync(file, "utf8").replaceAll(
      /<script([^>]*)>([^<]+)<\/script>/g,
      (_all, attributes, script) => {
        const name = `assets/${createHash("sha256").update(script).digest("hex").slice(0, 12)}.js`;
        writeFileSync(`${site}/${name}`, script);
        return `<script${attributes} src="${BASE}${name}"></script>`;
      },
    );
    writeFileSync(file, text);
  }
}

function htmlFiles(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
  return files.map((name) => `${folder}/${name}`);
}
