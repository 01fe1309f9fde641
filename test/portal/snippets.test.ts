// Code of the portal works as pasted into a clean shell in the server's folder, and holds no token.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { newMessenger, UNTIL } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { type OpenPage, signInAs, signInLink, usePortal } from "./browser.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PHONES = /\/v1\/Phones(\?|$)/;
const SID = /\b[OS]M[0-9a-f]{32}\b/;

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** In a shell that has nothing but a path and a home. */
function paste(text: string, typed = ""): Promise<Ran> {
  const { PATH = "", HOME = "" } = process.env;
  const shell = spawn("bash", ["--norc", "-c", text], { cwd: ROOT, env: { PATH, HOME } });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  shell.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  shell.stdin.end(typed);
  return new Promise((resolve) => shell.once("close", (code) => resolve({ code, output })));
}

describe.skipIf(!chromiumPath)("a snippet of the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  let visitor: OpenPage;
  let origin = "";

  beforeAll(async () => {
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("tab", { name: "curl", exact: true }).waitFor();
  });

  test("is shown once the number that sends is known", async () => {
    const { page } = visitor;
    let isHeld = true;
    const held: Route[] = [];
    await page.route(PHONES, async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
    await vi.waitFor(() => expect(held).not.toEqual([]), UNTIL);
    expect(await page.getByRole("tab", { name: "curl", exact: true }).count()).toBe(0);
    isHeld = false;
    for (const route of held) await route.continue();
    expect(await snippet(page, "curl")).toMatch(/From=\+1\d{10}\b/);
    await page.unroute(PHONES);
  });

  test("stands for every command that the first run names", async () => {
    const page = await visitor.page.getByRole("main").innerText();
    expect(page).toContain("node dist/tandem.js call");
    expect(page).not.toMatch(/(?<!dist\/)\btandem (?:call|send|listen)\b/);
  });

  async function snippet(page: Page, name: string): Promise<string> {
    await page.getByRole("tab", { name, exact: true }).click();
    return page.getByRole("group", { name: `Language, ${name}` }).innerText();
  }

  test.each(["curl", "TypeScript", "tandem CLI"])("sends a text by %s", async (name) => {
    const text = await snippet(visitor.page, name);
    expect(text).toMatch(/^set -a; \. \S+demo\.env; set \+a\n/);
    expect(text).not.toContain(tandem.token);
    const ran = await paste(text);
    expect(ran, text).toMatchObject({ code: 0, output: expect.stringMatching(SID) });
  });

  test("sends a text by the twilio client, with the package that is here", async () => {
    const text = await snippet(visitor.page, "twilio client");
    const install = 'cd "$(mktemp -d)" && npm install --silent twilio';
    expect(text).toContain(install);
    const ran = await paste(text.replace(install, ""));
    expect(ran, text).toMatchObject({ code: 0, output: expect.stringMatching(SID) });
  });

  test("of an account that is not the demo's asks for the token", async () => {
    const account = await newMessenger(tandem);
    const { page } = await portal.open();
    await page.goto(`${origin}/sign-in?next=/api/getAccount`);
    await signInAs(page, account);
    for (const name of ["curl", "TypeScript", "tandem CLI"]) {
      const text = await snippet(page, name);
      expect(text).toMatch(/^read -rs TANDEM_TOKEN; export TANDEM_TOKEN\n/);
      const ran = await paste(text, `${account.token}\n`);
      expect(ran, text).toMatchObject({ code: 0, output: expect.stringContaining(account.sid) });
    }
    await page.context().close();
  });
});
