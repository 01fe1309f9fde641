import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { carrierSchema } from "../../../server/config/carriers.ts";
import { checkCarriers } from "./carriers.ts";

let smsc: Server;
let port: number;
beforeEach(async () => {
  smsc = createServer((socket) => socket.on("error", () => undefined));
  await once(smsc.listen(0, "127.0.0.1"), "listening");
  port = (smsc.address() as AddressInfo).port;
});
afterEach(() => smsc.close());

const link = (name: string, at: { host?: string; port: number }) => ({
  name,
  host: "127.0.0.1",
  systemId: "tandem",
  password: "secret",
  ...at,
});
const check = (...smpp: readonly object[]) => checkCarriers([carrierSchema.parse({ name: "acme", smpp })]);

test("an SMSC that is there can be reached", async () => {
  expect(await check(link("east", { port }))).toEqual([
    { check: "Carrier link", verdict: "ok", found: `east at 127.0.0.1:${port} can be reached` },
  ]);
});

test("an SMSC that is away is reported with why and what to do", async () => {
  smsc.close();
  await once(smsc, "close");
  expect(await check(link("east", { port }))).toEqual([
    {
      check: "Carrier link",
      verdict: "fail",
      found: `east at 127.0.0.1:${port} cannot be reached: nothing listens there`,
      advice: expect.stringContaining("Check host and port"),
    },
  ]);
});

test("one that another link of the carrier replaces is worth a warning", async () => {
  const unknown = link("west", { host: "no-such-host.invalid", port });
  const findings = await check(link("east", { port }), unknown);
  expect(findings.map(({ verdict }) => verdict)).toEqual(["ok", "warn"]);
});

test("without carriers there is nothing to check", async () => {
  expect(await checkCarriers([])).toEqual([]);
});
