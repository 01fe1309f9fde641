// `npm run docs`: builds the documents and the API reference into one static site, which the server serves at /docs as
// soon as it exists. `npm run docs -- FOLDER` writes it to another folder.
//
// Guarantees: neither the build nor the pages load anything from other hosts; pages contain no inline scripts, so the
// server's content security policy may forbid them; an existing site stays until the new one is complete.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "vitepress";
import { root } from "./prepare.mjs";
import { stageSite } from "./site/stage-site.mjs";

const BASE = "/docs/";
const target = resolve(process.argv[2] ?? `${root}dist/site`);

mkdirSync(`${root}dist`, { recursive: true });
// Inside the clone, because the packages of the pages are resolved upwards from here.
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

/** Moves inline scripts to files. */
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
