// The OpenAPI documents in third-party tools: a linter, and a generator whose clients compile and work.
// generated-clients.test.ts has other generators.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useTandem } from "../use-tandem.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENTS = ["carrier-lookup", "messaging", "tandem"];
const ANSWER = { number: "+12024561414", status: "Inactive", type: "Landline", carrierName: "Verizon" };

let scratch: string;
const tandem = useTandem();
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "tandem-documents-"));
});
afterAll(() => rmSync(scratch, { recursive: true }));

function run(command: string, args: readonly string[]) {
  // Switches off the linter's telemetry and its check for updates.
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, env, encoding: "utf8", maxBuffer: 1 << 26 });
  return { status, text: `${stdout}${stderr}`, stdout };
}

describe.each(DOCUMENTS)("api/%s.json", (name) => {
  const document = join(ROOT, "api", `${name}.json`);

  test("has nothing for the linter to say", () => {
    const linter = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
    const { status, text, stdout } = run(process.execPath, [
      linter,
      "lint",
      "--config=redocly.yaml",
      "--format=json",
      document,
    ]);
    const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: object[] };
    expect(problems, text).toStrictEqual([]);
    expect(totals).toStrictEqual({ errors: 0, warnings: 0, ignored: 0 });
    expect(status).toBe(0);
  });

  test("becomes a client that compiles under strict rules", async () => {
    const folder = await clientOf(name);
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          target: "ES2022",
          module: "ESNext",
          moduleResolution: "bundler",
          lib: ["ES2023", "DOM", "DOM.Iterable"],
          types: [],
        },
        include: ["hey-api"],
      }),
    );
    const { status, text } = run(process.execPath, [
      join(ROOT, "node_modules/@typescript/native/bin/tsc"),
      "-p",
      folder,
    ]);
    expect(text).toBe("");
    expect(status).toBe(0);
  });
});

const generated = new Map<string, Promise<string>>();

/** The folder with the client of a document, generated once. */
function clientOf(name: string): Promise<string> {
  const known = generated.get(name) ?? generate(join(ROOT, "api", `${name}.json`), join(scratch, name));
  generated.set(name, known);
  return known;
}

async function generate(document: string, folder: string): Promise<string> {
  await createClient({
    input: document,
    output: join(folder, "hey-api"),
    logs: { level: "silent" },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  });
  return folder;
}

async function load<Module>(entry: string): Promise<Module> {
  const outfile = join(scratch, `${Buffer.from(entry).toString("hex").slice(-16)}.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return (await import(pathToFileURL(outfile).href)) as Module;
}

test("a client of @hey-api/openapi-ts looks a number up, and reads the refusal of one that is none", async () => {
  const folder = await clientOf("carrier-lookup");
  writeFileSync(
    join(folder, "hey-api/entry.ts"),
    'export { client } from "./client.gen";\nexport { lookUpNumber, lookUpNumbers } from "./sdk.gen";\n',
  );
  interface Generated {
    readonly client: { setConfig(config: object): void };
    lookUpNumber(order: object): Promise<{ data?: unknown; error?: { code: string } }>;
    lookUpNumbers(order: object): Promise<{ data?: unknown }>;
  }
  const { client, lookUpNumber, lookUpNumbers } = await load<Generated>(join(folder, "hey-api/entry.ts"));
  client.setConfig({ baseUrl: tandem.url, auth: () => `${tandem.accountSid}:${tandem.token}` });
  expect((await lookUpNumber({ path: { Number: "+12024561414" } })).data).toStrictEqual(ANSWER);
  expect((await lookUpNumber({ path: { Number: "pizza" } })).error).toMatchObject({ code: "validation" });
  const batch = await lookUpNumbers({ body: { numbers: ["+12024561414"] } });
  expect(batch.data).toStrictEqual({ items: [ANSWER] });
});
