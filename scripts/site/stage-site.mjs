// Lays out the sources of the site: every document of the repository as a page, the reference generated from the
// OpenAPI document, the files that pages link to, and llms.txt with the plain text of every page, for programs.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { root, tracked } from "../prepare.mjs";
import { referencePages } from "./reference-pages.mjs";

/** The sidebar. Documents that are missing here go into the project's own group. */
const GROUPS = {
  "Get started": [
    "README.md",
    "docs/tour.md",
    "docs/going-live.md",
    "docs/migrating-from-twilio.md",
    "docs/migrating-a-campaign.md",
    "examples/README.md",
  ],
  Guides: [
    "docs/voice.md",
    "docs/programs.md",
    "docs/streams.md",
    "docs/recordings.md",
    "docs/events.md",
    "docs/verifying-webhooks.md",
    "docs/sandbox.md",
    "docs/cli.md",
    "docs/language-models.md",
    "sdk/README.md",
  ],
  "Running it": [
    "docs/settings.md",
    "docs/health.md",
    "docs/operators.md",
    "docs/database.md",
    "docs/upgrading.md",
    "docs/releases.md",
    "deploy/README.md",
    "docs/carriers.md",
    "docs/trunks.md",
    "docs/trunks/README.md",
    "docs/trunks/kamailio.md",
    "docs/trunks/kamailio-edge.md",
    "docs/trunks/baresip.md",
    "docs/trunks/linphone.md",
    "docs/trunks/asterisk.md",
    "docs/trunks/freeswitch.md",
    "docs/lookup-sources.md",
    "docs/scaling.md",
    "docs/security.md",
  ],
  Tables: ["docs/errors.md", "docs/limits.md", "docs/states.md", "docs/commands.md", "docs/twilio-api.md"],
};
/** Targets of links to folders without a README.md. */
const FOLDERS = { api: "/api/", "docs/decisions": "/decisions/" };
const DECISION = /^docs\/decisions\//;

/** Writes the sources into a folder. The pages will be served below `base`. */
export function stageSite(folder, base) {
  const reference = referencePages(JSON.parse(readFileSync(`${root}api/tandem.json`, "utf8")));
  const documents = tracked(["*.md"]).map((path) => pageOf(path, readFileSync(`${root}${path}`, "utf8")));
  const decisions = documents.filter(({ path }) => DECISION.test(path));
  const pages = [...documents, decisionsPage(decisions)];
  const places = new Map(pages.map(({ path, place }) => [path, place]));
  const known = new Set(tracked(["."]));
  const files = new Set();
  const isFolder = (path) => [...known].some((file) => file.startsWith(`${path}/`));
  const addressOf = (target) => {
    if (places.has(target)) return pageAddress(places.get(target));
    if (known.has(target)) {
      files.add(target);
      return fileAddress(target);
    }
    if (!isFolder(target)) return undefined;
    return FOLDERS[target] ?? addressOf(`${target}/README.md`) ?? addressOf(`${dirname(target)}/README.md`);
  };
  const linkFrom = (from) => (href) => {
    if (/^(#|[a-z]+:)/.test(href)) return href;
    const [path, anchor] = href.split("#");
    const address = addressOf(posix.join(dirname(from), path).replace(/\/$/, ""));
    if (address === undefined) throw new Error(`${from} links to ${href}, which is not there.`);
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
  for (const { path, place, text } of pages) write(`${folder}/${place}`, outsideCode(text, linkFrom(path)));
  for (const { place, text } of reference) write(`${folder}/${place}`, text);
  for (const { place, text } of [...pages, ...reference]) write(`${folder}/public/${place}`, text);
  for (const path of files) cpSync(`${root}${path}`, `${folder}/public${fileAddress(path)}`);
  cpSync(`${root}portal/public/icon.svg`, `${folder}/public/icon.svg`);
  const sidebar = sidebarOf(pages, reference);
  write(`${folder}/public/llms.txt`, llmsText(sidebar, base));
  write(`${folder}/.vitepress/config.mjs`, configText(sidebar, base));
  write(`${folder}/.vitepress/theme/index.mjs`, 'export { default } from "vitepress/theme-without-fonts";\n');
}

function pageOf(path, text) {
  const [, title = path] = /^# (.*)$/m.exec(text) ?? [];
  const place = path === "README.md" ? "index.md" : path.replace(/^docs\//, "").replace(/README\.md$/, "index.md");
  return {
    path,
    place: /^[A-Z]/.test(place) ? `project/${place.toLowerCase()}` : place,
    title: title.replaceAll("`", ""),
    text,
  };
}

function decisionsPage(decisions) {
  const lines = decisions.map(({ path, title }) => `- [${title}](${posix.basename(path)})\n`);
  return pageOf(
    "docs/decisions/index.md",
    `# Decisions\n\nChoices that would surprise a newcomer, a page each.\n\n${lines.join("")}`,
  );
}

const pageAddress = (place) => `/${place.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;

/** Files that are not pages are served as text. */
const fileAddress = (path) => `/source/${path}${/\.(json|png)$/.test(path) ? "" : ".txt"}`;

/** Rewrites links for the site and removes comments; blocks of code stay unchanged. */
function outsideCode(text, link) {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part, at) => {
      if (at % 2 === 1) return part;
      return part.replaceAll(/<!--.*?-->\n?/gs, "").replaceAll(/\]\(([^)\s]+)\)/g, (_all, href) => `](${link(href)})`);
    })
    .join("");
}

function sidebarOf(pages, reference) {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const named = new Set(Object.values(GROUPS).flat());
  const others = pages.filter(({ path }) => !named.has(path) && !DECISION.test(path));
  const itemOf = ({ title, place }) => ({ text: title, link: pageAddress(place) });
  const groups = Object.entries(GROUPS).map(([text, paths]) => ({
    text,
    items: paths.map((path) => itemOf(byPath.get(path))),
  }));
  const project = [...others, byPath.get("docs/decisions/index.md")].map(itemOf);
  return [
    ...groups,
    { text: "API", items: reference.map(itemOf), collapsed: true },
    { text: "The project", items: project, collapsed: true },
  ];
}

/** https://llmstxt.org */
function llmsText(sidebar, base) {
  const lineOf = ({ text, link }) => `- [${text}](${base}${link.slice(1).replace(/(^|\/)$/, "$1index")}.md)\n`;
  const groups = sidebar.map(({ text, items }) => `## ${text}\n\n${items.map(lineOf).join("")}`);
  return `# Tandem\n\n> A phone platform that anyone can run: carrier lookup, messaging, voice and campaign migration behind one REST API. Every page is also served as Markdown, at its address with \`.md\`.\n\n${groups.join("\n")}`;
}

function configText(sidebar, base) {
  const config = {
    base,
    title: "Tandem",
    description: "A phone platform that anyone can run",
    cleanUrls: true,
    srcExclude: ["public/**"],
    metaChunk: true,
    // Follows the reader's system. A switch would write an inline style into the page, which the policy forbids.
    appearance: "force-auto",
    head: [["link", { rel: "icon", href: `${base}icon.svg` }]],
    themeConfig: {
      sidebar,
      nav: [{ text: "API reference", link: "/reference", target: "_self" }],
      search: { provider: "local" },
      outline: [2, 3],
    },
  };
  return `// Anchors as GitHub makes them, because the documents are read there, too.
const slugify = (text) => text.trim().toLowerCase().replace(/[^\\p{L}\\p{N}\\s_-]/gu, "").replace(/\\s/g, "-");
// Braces and what looks like an element are text: nothing in the documents is HTML or Vue's.
const config = ({ renderer }) => {
  const render = renderer.render.bind(renderer);
  renderer.render = (...tokens) => render(...tokens).replaceAll("{{", "&#123;&#123;");
};
export default { ...${JSON.stringify(config)}, markdown: { html: false, anchor: { slugify }, config } };
`;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
