import { expect, test } from "vitest";
import { DIAL_RULES } from "../../../test/fakes/dial-rules.ts";
import { type DialRules, hostFault, judgeCountry, readDestination, targetOf } from "./judge-destination.ts";

const RULES: DialRules = { ...DIAL_RULES, isTrunk: ({ host }) => host === "carrier.example" };
const read = (text: string, rules = RULES) => readDestination(text, rules, null);

test.each(["911", "112", "999", "+911", "sip:911@carrier.example", "sip:112;phone-context=x@carrier.example"])(
  "%s is an emergency number, and nobody is called",
  (text) => {
    expect(read(text)).toMatchObject({ ok: false, refusal: { code: "emergency-number" } });
  },
);

test("with a trunk for them, emergency numbers are dialled as they are", () => {
  expect(read("911", { ...RULES, emergencyTrunk: "carrier" })).toMatchObject({
    ok: true,
    value: { target: { kind: "number", number: "911" }, isEmergency: true },
  });
});

test("an extension of a telephone system may look like an emergency number", () => {
  expect(read("sip:112@pbx.example")).toMatchObject({
    ok: true,
    value: { target: { kind: "sip" }, isEmergency: false },
  });
});

test.each([
  ["+19005550100", "premium-number"],
  ["+449098790000", "premium-number"],
  ["soon", "validation"],
  ["sip:a@b.example?Via=x", "validation"],
  ["sip:+19005550100@carrier.example", "premium-number"],
  ["sip:%39%31%31@carrier.example", "emergency-number"],
])("%s is refused: %s", (text, code) => {
  expect(read(text)).toMatchObject({ ok: false, refusal: { code } });
});

test("the user part of a SIP URI at a trunk is a number, and goes the way of numbers", () => {
  const read = readDestination("sip:+4930123456@carrier.example", RULES, null);
  if (!read.ok) throw new Error("it can be read");
  expect(read.value.target).toEqual({ kind: "number", number: "+4930123456" });
  expect(judgeCountry(read.value, ["US"], RULES)).toMatchObject({ refusal: { code: "country-not-allowed" } });
});

test("a number must be in an allowed country, a SIP URI is in none", () => {
  const number = read("+4930123456");
  const uri = read("sip:alice@pbx.example");
  if (!number.ok || !uri.ok) throw new Error("both can be read");
  expect(judgeCountry(number.value, ["DE", "US"], RULES).ok).toBe(true);
  expect(judgeCountry(number.value, ["US"], RULES)).toMatchObject({ refusal: { code: "country-not-allowed" } });
  expect(judgeCountry(uri.value, [], RULES).ok).toBe(true);
});

test("a number of no single country is refused as such, and one of a country with its code", () => {
  const german = read("+4930123456");
  if (!german.ok) throw new Error("it can be read");
  const reasonOf = (country: string | undefined) =>
    judgeCountry(german.value, ["US"], {
      readNumber: (e164) => ({ ok: true, value: { e164, country, planType: undefined } }),
    });
  expect(reasonOf(undefined)).toMatchObject({
    refusal: { reason: expect.stringContaining("is in no single country") },
  });
  expect(reasonOf("DE")).toMatchObject({ refusal: { reason: expect.stringContaining("is in DE,") } });
});

test("only an emergency call goes by the trunk for emergency calls, and it needs no allowed country", () => {
  const rules = { ...RULES, emergencyTrunk: "carrier" };
  const [emergency, usual] = [read("911", rules), read("+4930123456", rules)];
  if (!emergency.ok || !usual.ok) throw new Error("both can be read");
  expect(usual.value.isEmergency).toBe(false);
  expect(targetOf(emergency.value, rules).trunk).toBe("carrier");
  expect(targetOf(usual.value, rules).trunk).toBeUndefined();
  expect(judgeCountry(emergency.value, [], rules).ok).toBe(true);
});

test("a trunk is called only with numbers", () => {
  expect(read("sip:alice@carrier.example")).toMatchObject({
    refusal: { code: "validation", reason: expect.stringContaining("only numbers") },
  });
});

test("a host that can never be called is refused as an address, and as a name of loopback", () => {
  const faultOf = (text: string, mayConnect = false) => {
    const destination = read(text);
    return destination.ok ? hostFault({ mayConnect: () => mayConnect }, destination.value) : "unread";
  };
  for (const host of ["10.0.0.1", "localhost", "sip.localhost"]) {
    expect(faultOf(`sip:alice@${host}`)).toContain(`${host} is not public`);
    expect(faultOf(`sip:alice@${host}`, true)).toBeUndefined();
  }
  expect(faultOf("sip:alice@example.com")).toBeUndefined();
});
