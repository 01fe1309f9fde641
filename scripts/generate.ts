// Writes the generated files that are committed: the OpenAPI documents, the SDK's types and methods, the plain
// commands, the explorer's table of calls, the numbering plans, the configuration file's schema, config.example.env,
// commands.md, events.md, states.md and twilio-api.md in docs, the named statements of the store in sql/statements, and
// the one file of Redoc that /docs needs, so that starting the server does not require that package. With --check it
// writes nothing and fails when a file differs from what it would write.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { namedStatements } from "../src/adapters/store/engine/named-statements.ts";
import { configFileJsonSchema } from "../src/server/config/config-file.ts";
import { exampleEnv } from "../src/server/config/settings.ts";
import { apiDocuments, everyOperation } from "../src/server/parts/api.ts";
import { eventsPage, eventTypes } from "./events-page.ts";
import { explorerCalls } from "./explorer-calls.ts";
import { numberingPlans } from "./numbering-plans.ts";
import { plainCommandsFile } from "./plain-commands.ts";
import { problemCodes } from "./problem-codes.ts";
import { sdkMethods } from "./sdk-methods.ts";
import { sdkTypes } from "./sdk-types.ts";
import { statesPage } from "./states-page.ts";
import { twilioPage } from "./twilio-page.ts";

const root = new URL("..", import.meta.url);
const documents = apiDocuments({ hasSandbox: true });
const redoc = (name: string) => readFileSync(new URL(`node_modules/redoc/bundles/${name}`, root), "utf8");
const REDOC_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const files: Readonly<Record<string, string>> = {
  "api/carrier-lookup.json": json(documents.lookup),
  "api/messaging.json": json(documents.messaging),
  "api/tandem.json": json(documents.everything),
  "api/tandem.config.schema.json": json(configFileJsonSchema()),
  "sdk/src/api.generated.ts": sdkTypes(documents.everything, `${eventTypes()}\n${problemCodes()}`),
  "portal/src/screens/api/operation-calls.generated.ts": explorerCalls(everyOperation(), documents.everything),
  "src/cli/commands.generated.ts": plainCommandsFile(everyOperation(), documents.everything),
  "sdk/src/methods.generated.ts": sdkMethods(everyOperation(), documents.everything),
  "rules/numbers/numbering-plans.generated.ts": numberingPlans(),
  "config.example.env": exampleEnv(),
  "docs/events.md": eventsPage(),
  "docs/states.md": statesPage(),
  "docs/twilio-api.md": twilioPage(),
  // Redoc would load a logo from another host, which the page forbids; with an empty URL it shows none.
  "vendor/redoc/redoc.standalone.js": redoc("redoc.standalone.js").replace(REDOC_LOGO, "data:,"),
  "vendor/redoc/redoc.standalone.js.LICENSE.txt": redoc("redoc.standalone.js.LICENSE.txt"),
};
const STATEMENTS = "sql/statements";
const statements = new Map(namedStatements().map(({ name, text }) => [`${name}.sql`, `${text.trim()};\n`]));
const isCheck = process.argv.includes("--check");
for (const [path, text] of Object.entries(files)) write(path, text);
for (const [name, text] of statements) write(`${STATEMENTS}/${name}`, text);
for (const name of readdirSync(new URL(STATEMENTS, root))) if (!statements.has(name)) remove(`${STATEMENTS}/${name}`);
// Imported only now, because the page is made from the program, which includes the commands written above.
const { commandsPage } = await import("./commands-page.ts");
write("docs/commands.md", commandsPage());

function write(path: string, text: string): void {
  const url = new URL(path, root);
  if (!isCheck) {
    mkdirSync(dirname(url.pathname), { recursive: true });
    writeFileSync(url, text);
  } else if (readOr(url) !== text) {
    console.error(`${path} is not what the code would write: run npm run generate`);
    process.exitCode = 1;
  }
}

function remove(path: string): void {
  if (!isCheck) {
    rmSync(new URL(path, root));
  } else {
    console.error(`${path} is printed no more: run npm run generate`);
    process.exitCode = 1;
  }
}

function readOr(url: URL): string | undefined {
  try {
    return readFileSync(url, "utf8");
  } catch {
    return undefined;
  }
}
