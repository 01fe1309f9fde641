// The SDK as users get it: packed, installed into an empty project, compiled by `tsc --strict`, run by Node 20, Node 24
// and Deno. The program is its README.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMessenger, newSender } from "../contract/messages.ts";
import { useTandem } from "../use-tandem.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules/@typescript/native/bin/tsc");
/** Limits the time that importing the SDK costs a program. Most of the file is the table of numbering plans. */
const ENTRY_BYTES_MAX = 230_000;
/** For npm and compilers on a busy machine. */
const PATIENCE_MS = 600_000;
const NODE_24 = "24.21.0";
const DENO = "2.9.5";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const tandem = useTandem();
let folder: string;

const npm = (cwd: string, ...args: readonly string[]) =>
  run("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"], { cwd });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tandem-sdk-"));
  await npm(join(ROOT, "sdk"), "pack", "--pack-destination", folder);
  const [tarball = ""] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  await npm(folder, "install", "--offline", `./${tarball}`);
}, PATIENCE_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (path: string) => readFileSync(join(folder, "node_modules/@tandem/sdk", path), "utf8");

test("the package has what it needs and nothing else", () => {
  const files = readdirSync(join(folder, "node_modules/@tandem/sdk")).sort();
  expect(files).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  expect(
    readdirSync(join(folder, "node_modules"), { withFileTypes: true })
      .map(({ name }) => name)
      .sort(),
  ).toEqual([".package-lock.json", "@tandem"]);
  expect(JSON.parse(installed("package.json"))).not.toHaveProperty("dependencies");
});

test("its entry is one file that imports nothing", () => {
  const entry = installed("dist/index.js");
  expect(entry.length).toBeLessThan(ENTRY_BYTES_MAX);
  expect(entry.match(/^\s*(?:import\b.*|export .* from .*)$|\b(?:import|require)\(/gm)).toBeNull();
});

/** The samples of the README as one program, with real values for its placeholders. */
function program(real: Readonly<Record<string, string>>): string {
  const readme = readFileSync(join(ROOT, "sdk/README.md"), "utf8");
  const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join("\n");
  expect(samples.length).toBeGreaterThan(1_000);
  return Object.entries(real).reduce((text, [sample, value]) => text.replaceAll(sample, value), samples);
}

const RECEIVED = `
import { signWebhook } from "@tandem/sdk";
const payload = JSON.stringify({
  WebhookSid: "WH1", EventDate: "2026-01-31T12:00:00.000Z", Sid: "IM1", From: "+14155550101", To: "+14155550100",
  AdditionalRecipients: [], Text: "Hello!", MediaUrls: [], SegmentCount: 1,
});
const signed = await signWebhook({ id: "WH1", timestamp: new Date(), payload, secret: "${SECRET}" });
const headers = { ...signed, "X-Event-Type": "InboundMessageReceived" };
const request = (body: string) => new Request("http://localhost/", { method: "POST", headers, body });
console.log("webhook:", (await receive(request(payload))).status, (await receive(request(payload + " "))).status);
`;

/** Compiles as in a new project, which has the DOM's types, and as in a project for Node, which does not. */
async function compile(source: string): Promise<void> {
  writeFileSync(join(folder, "program.ts"), source);
  const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--exactOptionalPropertyTypes"];
  const node = ["--noEmit", "--lib", "es2022", "--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
  for (const more of [[], node]) {
    const compiled = await run(process.execPath, [TSC, ...options, ...more, "program.ts"], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");
  }
}

/** A program from npm; undefined, with the reason logged, when npm fails. In CI that is a failure. */
async function fromNpm(name: string, version: string, path: string): Promise<string | undefined> {
  const cache = join(ROOT, "node_modules/.cache/tandem", `${name.replaceAll("/", "-")}-${version}`);
  const program = join(cache, "node_modules", name, path);
  if (existsSync(program)) return program;
  try {
    mkdirSync(cache, { recursive: true });
    await npm(cache, "install", "--prefix", cache, "--no-save", "--no-package-lock", `${name}@${version}`);
    return program;
  } catch (error) {
    const reason = `npm does not give ${name}@${version}: ${(error as Error).message}`;
    if (process.env.CI === "true") throw new Error(`${reason}, and CI must not skip it`);
    console.warn(`skipped: ${reason}`);
    return undefined;
  }
}

describe("the samples of its README", () => {
  beforeAll(async () => {
    const account = await newMessenger(tandem);
    const { number } = await newSender(tandem, tandem.database, account);
    const { url, operatorToken } = tandem;
    const samples = program({
      "http://localhost:8080": url,
      AC01935f1e4c7b7000a3c41f0e5d9b2a00: account.sid,
      "your-token": account.token,
      "operator-token": operatorToken,
      "+14155550150": number,
    });
    await compile(samples + RECEIVED);
  }, PATIENCE_MS);

  async function printed(program: string, ...options: readonly string[]): Promise<string> {
    const { stdout } = await run(program, [...options, "program.js"], { cwd: folder });
    return stdout;
  }

  test("compile under strict rules and run on this Node", async () => {
    const output = await printed(process.execPath);
    expect(output).toMatch(/^Landline AT&T$/m);
    expect(output).toMatch(/^OM\w{32} Queued$/m);
    expect(output).toMatch(/^400 recipient-invalid \{/m);
    expect(output).toContain("<Hangup>Smith &amp; Sons is closed.");
    expect(output).toContain("nobody is signed in");
    expect(output).toContain("+14155550101 Hello!\nwebhook: 204 400");
  });

  test(
    "run on Node 24, too",
    async ({ skip }) => {
      const node = await fromNpm(`node-${process.platform}-${process.arch}`, NODE_24, "bin/node");
      if (node === undefined) return skip("npm does not give Node 24");
      expect((await run(node, ["--version"])).stdout.trim()).toBe(`v${NODE_24}`);
      expect(await printed(node)).toContain("webhook: 204 400");
    },
    PATIENCE_MS,
  );

  test(
    "run on Deno, which has nothing of Node's",
    async ({ skip }) => {
      const libc = process.platform === "linux" ? "-glibc" : "";
      const deno = await fromNpm(`@deno/${process.platform}-${process.arch}${libc}`, DENO, "deno");
      if (deno === undefined) return skip("npm does not give Deno");
      expect(await printed(deno, "run", "--no-remote", "--allow-net=127.0.0.1")).toContain("webhook: 204 400");
    },
    PATIENCE_MS,
  );

  test("tell how long the import takes", async () => {
    const source = `const begun = process.cpuUsage();
      await import("@tandem/sdk");
      const { user, system } = process.cpuUsage(begun);
      console.log((user + system) / 1000);`;
    const times: number[] = [];
    for (let at = 0; at < 3; at++) {
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", source], { cwd: folder });
      times.push(Number(stdout));
    }
    console.log(`import of @tandem/sdk: ${Math.min(...times)} ms of CPU, the best of ${times.length}`);
    expect(times).not.toContain(Number.NaN);
  });
});
