// A file of numbers in the portal's lookup: what is found in it can be put right, and the saved file is like the one
// that was read.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { newMessenger } from "../contract/messages.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInAs, usePortal } from "./browser.ts";

describe.skipIf(!chromiumPath)("a file of numbers in the portal", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let visitor: OpenPage;

  beforeAll(async () => {
    const account = await newMessenger(tandem);
    visitor = await portal.open();
    const { page } = visitor;
    await page.goto(`${tandem.url}/sign-in?next=/lookup`);
    await signInAs(page, account);
    await page.getByLabel("CSV file", { exact: true }).waitFor({ state: "attached" });
  });

  test("is looked up by another column when that is chosen, and keeps its delimiter and quotes", async () => {
    const { page } = visitor;
    const text = 'nom;travail;domicile\r\n"Ren\u00e9e; chef";+14155550100;+14155550101';
    // Latin-1, as Western spreadsheets save it.
    const buffer = Buffer.from(text, "latin1");
    const file = { name: "amis.csv", mimeType: "text/csv", buffer };
    await page.getByLabel("CSV file", { exact: true }).setInputFiles(file);
    const answers = page.getByRole("region", { name: "Answers" }).or(page.getByLabel("Answers")).first();
    await answers.getByText("0100").waitFor();
    expect(await page.getByLabel("Delimiter").inputValue()).toBe(";");
    expect(await page.getByLabel("Encoding").inputValue()).toBe("Latin-1");
    await page.getByLabel("Column with the numbers").selectOption({ label: "domicile (+14155550101)" });
    await answers.getByText("0101").waitFor();
    await page.getByText("1 of 1").waitFor();
    await look(page, "lookup-columns");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the answers" }).click();
    const saved = readFileSync(await (await download).path(), "utf8");
    expect(saved).toContain(
      'nom;travail;domicile;status;type;carrier;error\r\n"Ren\u00e9e; chef";+14155550100;+14155550101;',
    );
    expect(visitor.complaints).toEqual([]);
  });
});
