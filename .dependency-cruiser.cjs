// The rings: base ← wire and domain (strangers to each other) ← adapters ← server ← cli. sandbox speaks only wire. portal and cli's
// commands reach the product through the sdk. rules stands below all of them: whoever needs a rule imports it.

const { readdirSync } = require("node:fs");

const adapters = readdirSync(`${__dirname}/src/adapters`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What an adapter may import of others, besides single files that no folder owns. */
const ADAPTER_NEEDS = {
  // Whoever calls where a stranger says goes through the guard.
  attachments: "guard/",
  "media-streams": "guard/",
  sip: "guard/",
  "webhook-client": "guard/",
  // Another provider's API is served by the same HTTP server: its operations are values of the same kind.
  twilio: "http/(core|reading)/",
};

const forbid = (name, from, to, comment) => ({ name, severity: "error", comment, from, to });

module.exports = {
  forbidden: [
    forbid(
      "rules-import-nothing",
      { path: "^rules", pathNot: "\\.test\\.ts$" },
      { pathNot: "^rules" },
      "rules are pure",
    ),
    forbid(
      "base-imports-nothing-of-ours",
      { path: "^src/base" },
      { path: "^(src/(?!base)|sdk)" },
      "base stands on nothing",
    ),
    forbid(
      "wire-knows-base-only",
      { path: "^src/wire" },
      { path: "^(src/(?!base|wire)|sdk)" },
      "wire is bytes and values",
    ),
    forbid(
      "domain-knows-base-only",
      { path: "^src/domain" },
      { path: "^(src/(?!base|domain)|sdk)" },
      "the domain knows no adapter",
    ),
    forbid(
      "adapters-below-server",
      { path: "^src/adapters" },
      { path: "^(src/(server|cli|sandbox)|sdk)" },
      "adapters are wired by the server",
    ),
    forbid(
      "server-below-cli",
      { path: "^src/server" },
      { path: "^(src/cli|sdk)" },
      "the CLI starts the server, not the other way round",
    ),
    forbid(
      "sandbox-speaks-wire",
      { path: "^src/sandbox" },
      { path: "^(src/(?!base|wire|sandbox)|sdk)" },
      "the sandbox is a world outside",
    ),
    forbid(
      "mcp-knows-base-only",
      { path: "^src/mcp" },
      { path: "^(src/(?!base|mcp)|sdk)" },
      "server and CLI offer the same tools",
    ),
    forbid("sdk-stands-alone", { path: "^sdk" }, { path: "^src" }, "the sdk knows the API, not the product"),
    forbid(
      "portal-through-the-sdk",
      { path: "^portal/src" },
      { path: "^(src|sdk/(?!src/index\\.ts$)|test|bench|scripts|numbering)" },
      "the portal is a client like any other",
    ),
    forbid("portal-in-the-browser", { path: "^portal/src" }, { dependencyTypes: ["core"] }, "browsers have no node:*"),
    forbid("nobody-needs-the-portal", { path: "^(src|sdk)" }, { path: "^portal" }, "the server serves its files"),
    forbid(
      "screens-stand-alone",
      { path: "^portal/src/screens/([^/]+)/" },
      { path: "^portal/src/screens/([^/]+)/", pathNot: "^portal/src/screens/$1/" },
      "what two screens share is a component",
    ),
    forbid(
      "cli-through-the-sdk",
      { path: "^src/cli/commands/(?!serve|doctor|script|backup|keys)" },
      { path: "^src/(domain|adapters|server|wire|sandbox)" },
      "commands are clients like any other",
    ),
    forbid(
      "no-io-inside",
      { path: "^src/(base|wire|domain)", pathNot: "\\.test\\.ts$" },
      { dependencyTypes: ["core"] },
      "no node:* below the adapters",
    ),
    ...["accounts", "lookup", "messaging", "voice", "campaigns", "porting", "webhooks"].map((noun) =>
      forbid(
        `domain-${noun}-and-its-siblings`,
        { path: `^src/domain/${noun}/` },
        { path: "^src/domain/[^/]+/", pathNot: `^src/domain/(${noun}|accounts|numbers)/` },
        "siblings speak through events.ts",
      ),
    ),
    ...adapters.map((adapter) =>
      forbid(
        `adapter-${adapter}-and-its-siblings`,
        { path: `^src/adapters/${adapter}/`, pathNot: "\\.test\\.ts$" },
        {
          path: "^src/adapters/[^/]+/",
          pathNot: `^src/adapters/(${[`${adapter}/`, ADAPTER_NEEDS[adapter] ?? []].flat().join("|")})`,
        },
        "adapters do not import each other",
      ),
    ),
    forbid("no-cycles", {}, { circular: true }, "a cycle has no inside"),
    forbid(
      "no-test-code-in-the-product",
      { path: "^(src|sdk)", pathNot: "\\.test\\.ts$" },
      { path: "^(test|bench|scripts)" },
      "tests depend on the product",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js", ".json"] },
  },
};
