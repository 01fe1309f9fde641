import { expect, test } from "vitest";
import { SETTINGS, type Settings } from "../../../server/config/settings.ts";
import { sipSchema } from "../../../server/config/sip.ts";
import { checkVoice } from "./voice.ts";

const settings = (ports: string) =>
  ({ TANDEM_RTP_PORTS: SETTINGS.TANDEM_RTP_PORTS.schema.parse(ports) }) as unknown as Settings;
const sip = (more: object) => sipSchema.parse({ sourceAddresses: ["127.0.0.1", "127.0.0.1"], ...more });

const speaking = () => ({ places: 1, make: async () => new Int16Array(8000), close: async () => undefined });
const mute = () => ({ places: 1, make: () => Promise.reject(new Error("no voice")), close: async () => undefined });

test("without SIP there is nothing to check", async () => {
  expect(await checkVoice(undefined, settings("20000-21999"), speaking)).toEqual([]);
});

test("addresses, trunks, ports and speech are reported, with what to do about them", async () => {
  const nat = { address: "127.0.0.1", publicAddress: "203.0.113.5" };
  const findings = await checkVoice(sip({ sourceAddresses: [nat, "192.0.2.77"] }), settings("20000-20099"), mute);
  expect(findings.map(({ check, verdict }) => `${check}: ${verdict}`)).toEqual([
    "SIP: ok",
    "SIP: fail",
    "Trunks: warn",
    "Ports for audio: warn",
    "Speech: fail",
  ]);
});

test("an address that others do not reach is worth a warning", async () => {
  const [first, , trunks, ports, speech] = await checkVoice(
    sip({ trunks: [{ name: "carrier", host: "sip.example" }] }),
    settings("20000-21999"),
    speaking,
  );
  expect(first).toMatchObject({ verdict: "warn", advice: expect.stringContaining("publicAddress") });
  expect([trunks?.verdict, ports?.verdict, speech?.verdict]).toEqual(["ok", "ok", "ok"]);
});
