import { expect, test } from "vitest";
import type { SipMessageRecord } from "../../../domain/voice/index.ts";
import { masked, SipTrace } from "./sip-trace.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const message = (legSid: string, second: number, text = "OPTIONS"): SipMessageRecord => ({
  at: at(second),
  legSid,
  direction: "Sent",
  peer: "192.0.2.1:5060",
  local: "192.0.2.2:5060",
  transport: "UDP",
  text,
});

function traceWithRows() {
  const rows: { readonly leg_sid: string; readonly text: string }[] = [];
  const trace = new SipTrace({
    async query(_text, values = []) {
      rows.push(...JSON.parse(String(values[0])));
      return [];
    },
  });
  return { trace, rows };
}

test("messages are written when their call is stored", async () => {
  const { trace, rows } = traceWithRows();
  trace.add(message("LG1", 1));
  trace.add(message("LG1", 3));
  await trace.flush(at(3));
  expect(rows).toHaveLength(1);
  await trace.flush(at(3), "all");
  expect(rows).toHaveLength(2);
});

test("octets are kept as the text that they are", async () => {
  const { trace, rows } = traceWithRows();
  const octets = (text: string) => Buffer.from(text).toString("latin1");
  trace.add(message("LG1", 1, octets('From: "Zoë 你好" <sip:zoe@192.0.2.1>')));
  trace.add(message("LG1", 1, "Subject: \xff"));
  await trace.flush(at(1), "all");
  expect(rows.map(({ text }) => text)).toEqual(['From: "Zoë 你好" <sip:zoe@192.0.2.1>', "Subject: \ufffd"]);
});

test("of a talkative leg the first and the last are kept", async () => {
  const { trace, rows } = traceWithRows();
  for (let n = 0; n < 1_000; n++) trace.add(message("LG1", 1, String(n)));
  await trace.flush(at(10));
  const kept = rows.map(({ text }) => Number(text));
  expect(kept).toHaveLength(200);
  expect(kept[149]).toBe(149);
  expect(kept.slice(150)).toEqual(Array.from({ length: 50 }, (_, n) => 950 + n));
});

test("credentials and keys are masked, also when folded", () => {
  const text = [
    "INVITE sip:a@b SIP/2.0",
    'Authorization: Digest username="me",',
    ' response="feed"',
    'proxy-authorization: Digest response="feed"',
    "",
    "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:secretkey|2^31",
    "a=rtpmap:0 PCMU/8000",
  ].join("\r\n");
  expect(masked(text)).not.toMatch(/feed|secretkey/);
  expect(masked(text)).toContain("a=rtpmap:0");
});

test("who withholds who they are is masked in every spelling and in every field", () => {
  const text = [
    "INVITE sip:+14155550100@192.0.2.1 SIP/2.0",
    'From: "Alice Example" <sip:4155550111@carrier.test>;tag=a',
    "t: Somebody <sip:+14155550100@192.0.2.1>",
    "Contact: <sip:0014155550111@192.0.2.9:5060>",
    'P-Asserted-Identity: "Alice Example" <sip:+14155550111@carrier.test>,',
    " <tel:+14155550111>",
    'remote-party-id: "Alice Example" <sip:alice@carrier.test>;privacy=full',
    "Identity: eyJvcmlnIjp7InRuIjoiMTQxNTU1NTAxMTEifX0",
    "Privacy: id",
    "",
    "o=- 415555011100 1 IN IP4 192.0.2.9",
  ].join("\r\n");
  expect(masked(text)).toBe(text);
  const shown = masked(text, "+14155550111");
  expect(shown).not.toMatch(/5550111(?!00)|Alice|alice|eyJ/);
  expect(shown.split("\r\n")).toEqual([
    "INVITE sip:+14155550100@192.0.2.1 SIP/2.0",
    'From: "***" <sip:***@carrier.test>;tag=a',
    't: "***" <sip:+14155550100@192.0.2.1>',
    "Contact: <sip:***@192.0.2.9:5060>",
    "P-Asserted-Identity: ***",
    "remote-party-id: ***",
    "Identity: ***",
    "Privacy: id",
    "",
    "o=- 415555011100 1 IN IP4 192.0.2.9",
  ]);
  expect(masked(text, "anonymous")).toContain("P-Asserted-Identity: ***");
});
