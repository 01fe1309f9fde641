// Whether the server has another build of the portal than this tab. Asked for when the connection comes back, because
// an upgrade breaks it.

import { SharedValue, useShared } from "../shared-value.ts";

const isNewer = new SharedValue(false);

/** True once the server has had another build than this tab. */
export const useNewerBuild = (): boolean => useShared(isNewer);

/** The script that a page begins with; its name changes with every build. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

async function page(): Promise<string | undefined> {
  try {
    const response = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

export const hasServer = async (): Promise<boolean> => (await page()) !== undefined;

export async function lookForNewerBuild(): Promise<void> {
  const theirs = ENTRY.exec((await page()) ?? "")?.[1];
  const ours = document.querySelector("script[type=module][src]")?.getAttribute("src");
  if (theirs !== undefined && theirs !== ours) isNewer.set(true);
}
