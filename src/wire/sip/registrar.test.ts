import fc from "fast-check";
import { expect, test } from "vitest";
import { read } from "../../../test/fakes/sip-legs.ts";
import type { SipMessage } from "./message.ts";
import { parseMessage } from "./parse.ts";
import { type Binding, register } from "./registrar.ts";
import { clean } from "./write.ts";

const TERMS = { contactsMax: 2, secondsMin: 30, secondsMax: 120 };

let count = 0;

function textOf(lines: string, { callId = "pbx", cseq = ++count } = {}): string {
  return (
    `REGISTER sip:tandem.test SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bKr${++count}\r\n` +
    `From: <sip:pbx@tandem.test>;tag=a\r\nTo: <sip:pbx@tandem.test>\r\nCall-ID: ${callId}\r\nCSeq: ${cseq} REGISTER\r\n` +
    `${lines}Content-Length: 0\r\n\r\n`
  );
}

class Place {
  bindings: readonly Binding<string>[] = [];
  nowMs = 0;

  send(lines: string, order: { callId?: string; cseq?: number; flow?: string } = {}): readonly [number, string] {
    return this.take(read(textOf(lines, order)), order.flow);
  }

  take(message: SipMessage, flow = "flow"): readonly [number, string] {
    const { bindings, status, lines } = register(this.bindings, message, { flow, nowMs: this.nowMs }, TERMS);
    this.bindings = bindings;
    return [status, lines];
  }

  get contacts(): readonly string[] {
    return this.bindings.map(({ text }) => text);
  }
}

test("a contact is bound for the time that is asked for, within bounds, and shown", () => {
  const place = new Place();
  expect(place.send("Contact: <sip:pbx@10.0.0.2>;expires=60\r\n")).toEqual([
    200,
    "Contact: <sip:pbx@10.0.0.2>;expires=60\r\n",
  ]);
  expect(place.bindings).toMatchObject([{ flow: "flow", untilMs: 60_000, q: 1 }]);
  place.nowMs = 10_000;
  expect(place.send("")).toEqual([200, "Contact: <sip:pbx@10.0.0.2>;expires=50\r\n"]);
  expect(place.send("Contact: <sip:pbx@10.0.0.2>\r\nExpires: 9999\r\n")[1]).toContain("expires=120");
  expect(place.send("Contact: <sip:pbx@10.0.0.2>\r\n")[1]).toContain("expires=120");
  expect(place.send("Contact: <sip:pbx@10.0.0.2>;expires=never\r\nExpires: 40\r\n")[1]).toContain("expires=40");
  expect(place.contacts).toHaveLength(1);
});

test("a contact that is no longer refreshed ends", () => {
  const place = new Place();
  place.send("Contact: <sip:pbx@10.0.0.2>;expires=60\r\n");
  place.nowMs = 60_000;
  expect(place.send("")).toEqual([200, ""]);
});

test("too short a time is refused with the shortest one, and changes nothing", () => {
  const place = new Place();
  expect(place.send("Contact: <sip:one@10.0.0.2>;expires=60, <sip:two@10.0.0.2>;expires=29\r\n")).toEqual([
    423,
    "Min-Expires: 30\r\n",
  ]);
  expect(place.contacts).toEqual([]);
});

test("contacts are removed one by one, or all", () => {
  const place = new Place();
  place.send("Contact: <sip:one@10.0.0.2>, <sip:two@10.0.0.2>\r\n");
  place.send("Contact: <sip:%6fne@10.0.0.2>;expires=0\r\n");
  expect(place.contacts).toEqual(["sip:two@10.0.0.2"]);
  expect(place.send("Contact: *\r\nExpires: 0\r\n", { callId: "other" })).toEqual([200, ""]);
  expect(place.contacts).toEqual([]);
});

test("the newest contacts stay where there are more than allowed, and the best is known", () => {
  const place = new Place();
  place.send("Contact: <sip:one@10.0.0.2>;q=0.1\r\n");
  place.send("Contact: <sip:two@10.0.0.2>;q=0.5\r\n");
  place.send("Contact: <sip:three@10.0.0.2>;q=7\r\n");
  expect(place.bindings.map(({ uri, q }) => [uri.user, q])).toEqual([
    ["three", 1],
    ["two", 0.5],
  ]);
});

test("a device that comes from another address replaces its contact", () => {
  const place = new Place();
  const id = '+sip.instance="<urn:uuid:1>"';
  place.send(`Contact: <sip:pbx@10.0.0.2:5060>;${id}\r\n`, { flow: "old" });
  place.send(`Contact: <sip:pbx@10.0.0.3:1024>;${id}\r\n`, { flow: "new", callId: "other" });
  expect(place.bindings).toMatchObject([{ text: "sip:pbx@10.0.0.3:1024", flow: "new" }]);
});

test("a request that was overtaken changes nothing", () => {
  const place = new Place();
  place.send("Contact: <sip:pbx@10.0.0.2>\r\n", { cseq: 5 });
  for (const lines of ["Contact: <sip:pbx@10.0.0.2>;expires=0\r\n", "Contact: *\r\nExpires: 0\r\n"]) {
    expect(place.send(lines, { cseq: 5 })).toEqual([500, ""]);
    expect(place.contacts).toHaveLength(1);
  }
  expect(place.send("Contact: <sip:pbx@10.0.0.2>;expires=0\r\n", { cseq: 6 })[0]).toBe(200);
});

test.each([
  "Contact: *\r\n",
  "Contact: *\r\nExpires: 60\r\n",
  "Contact: <tel:+14155550100>\r\n",
  "Contact: <mailto:pbx@tandem.test>\r\n",
  `Contact: <sip:${"x".repeat(600)}@10.0.0.2>\r\n`,
])("%j is refused, and changes nothing", (lines) => {
  const place = new Place();
  place.send("Contact: <sip:pbx@10.0.0.2>\r\n");
  expect(place.send(lines)).toEqual([400, ""]);
  expect(place.contacts).toHaveLength(1);
});

test("whatever comes, nothing throws, and the bounds hold", () => {
  const text = fc.oneof(
    fc.constantFrom("*", "<sip:a@b>", "<sip:a@b>;expires=0", '<sip:c@d>;+sip.instance="<x>"', "sips:[::1]:5061"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(text, { maxLength: 4 }), fc.nat(200), fc.nat(50))), (requests) => {
      const place = new Place();
      for (const [values, expires, seconds] of requests) {
        place.nowMs += seconds * 1000;
        const contacts = values.map((value) => `Contact: ${clean(value)}\r\n`).join("");
        const parsed = parseMessage(textOf(`${contacts}Expires: ${expires}\r\n`));
        if (!parsed.ok) continue;
        const [, lines] = place.take(parsed.message);
        expect(place.bindings.length).toBeLessThanOrEqual(TERMS.contactsMax);
        for (const { untilMs } of place.bindings) expect(untilMs).toBeLessThanOrEqual(place.nowMs + 120_000);
        expect(lines.split("\r\n").every((line) => line === "" || /^(?:Contact: <sips?:|Min-Expires)/.test(line))).toBe(
          true,
        );
      }
    }),
  );
});
