// Debian's Chromium, driven by playwright-core, for tests of pages.

import { type Browser, chromium } from "playwright-core";
import { requirePeer } from "./peer.ts";

/** Its path; `undefined` (for `describe.skipIf(!chromiumPath)`) where it is missing. */
export const chromiumPath = requirePeer("chromium", "chromium");

/** Without its own sandbox, which does not work as root. It only loads our own pages. */
export function startChromium(flags: readonly string[] = []): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", ...flags];
  return chromium.launch({ executablePath: chromiumPath ?? "", args });
}
