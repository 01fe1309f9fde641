import { afterEach, expect, test } from "vitest";
import type { Log } from "../../base/log.ts";
import type { BindCommand } from "../../wire/smpp/pdu.ts";
import { readReceipt } from "../../wire/smpp/receipt.ts";
import { STATUS } from "../../wire/smpp/statuses.ts";
import { Esme } from "./esme-for-tests.ts";
import { Smsc, type SmscOptions } from "./smsc.ts";

const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function startSmsc(options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const smsc = await Smsc.listen({ host: "127.0.0.1", port: 0, log, receiptDelayMs: 0, redeliverMs: 1, ...options });
  open.push(smsc);
  return smsc;
}

async function bind(smsc: Smsc, options: Partial<Parameters<typeof Esme.bind>[0]> = {}): Promise<Esme> {
  const esme = await Esme.bind({ port: smsc.port, ...options });
  open.push(esme);
  return esme;
}

test("a message is accepted, reaches its handset and is receipted", async () => {
  const smsc = await startSmsc();
  const esme = await bind(smsc);
  const outcome = await esme.submit("+14155550100");
  if (outcome.kind !== "accepted") return expect.fail(outcome.kind);
  const { messageId } = outcome;
  expect(await smsc.nextMessage()).toMatchObject({
    messageIds: [messageId],
    systemId: "alice",
    from: "+12125550000",
    to: "+14155550100",
    text: "hello",
    dataCoding: 0,
    isFlash: false,
  });
  const receipt = await esme.delivery(0);
  expect(readReceipt(receipt)).toMatchObject({ messageId, state: "delivered" });
  expect(receipt).toMatchObject({ source: { address: "14155550100" }, destination: { address: "12125550000" } });
});

test("a handset's message reaches the ESME", async () => {
  const smsc = await startSmsc();
  const esme = await bind(smsc);
  await smsc.deliver({ from: "+14155550123", to: "+12125550000", text: "hi" });
  expect(esme.delivered).toMatchObject([{ source: { ton: 1, npi: 1, address: "14155550123" }, dataCoding: 0 }]);
});
