// Debian's Chromium for journeys through the portal: one browser a file, a page that fails on console errors, axe, and
// screenshots of every screen, which are kept in artefacts/portal for review.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { UNTIL } from "../contract/messages.ts";
import { chromiumPath, startChromium } from "../peers/chromium.ts";
import { isPictureOf } from "./pictures.ts";

const FOLDER = fileURLToPath(new URL("../../artefacts/portal/", import.meta.url));
/** Each width and each theme once. */
const VIEWS = [
  { width: 375, height: 812, colorScheme: "dark" },
  { width: 1440, height: 900, colorScheme: "light" },
] as const;

export interface Portal {
  /** A separate browser context: no cookies of the others. */
  open(): Promise<OpenPage>;
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly complaints: readonly string[];
}

/** Filled by a `beforeAll`. `flags` are Chromium's. */
export function usePortal(flags: readonly string[] = []): Portal {
  let browser: Browser | undefined;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    if (chromiumPath !== undefined) browser = await startChromium(flags);
  });
  afterAll(() => browser?.close());
  return {
    async open() {
      if (!browser) throw new Error("There is no browser.");
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        timezoneId: "America/New_York",
      });
      const page = await context.newPage();
      page.setDefaultTimeout(UNTIL.timeout);
      const complaints: string[] = [];
      page.on("console", (message) => {
        // A server that is starved of processor time may answer 503. What the page shows then is not a complaint.
        if (["error", "warning"].includes(message.type()) && !/status of 503/.test(message.text()))
          complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      return { page, context, complaints };
    },
  };
}

/**
 * Takes a screenshot in every view, and leaves the page in the last one. Checks that nothing scrolls sideways, and that
 * axe finds nothing.
 */
export async function look(page: Page, name: string): Promise<void> {
  const { pathname } = new URL(page.url());
  expect({ name, pathname, isOfItsPage: isPictureOf(name, pathname) }).toMatchObject({ isOfItsPage: true });
  for (const { width, height, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `${FOLDER}${name}-${width}-${colorScheme}.png` });
    const found = await axeFindings(page);
    const isSideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect({ name, width, colorScheme, found, isSideways }).toMatchObject({ found: [], isSideways: false });
  }
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

async function axeFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const findings = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as readonly Finding[];
  return findings.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** On the page of the sign-in. */
export async function signInAs(page: Page, { sid, token }: { readonly sid: string; readonly token: string }) {
  await page.getByLabel("Account SID").fill(sid);
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** The one-time sign-in link in the banner of a sandbox. */
export function signInLink(banner: string): string {
  const link = /http\S+\/sign-in#ticket=\S+/.exec(banner)?.[0];
  if (link === undefined) throw new Error("The banner has no link that signs in.");
  return link;
}
