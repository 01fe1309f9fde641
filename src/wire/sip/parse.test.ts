import fc from "fast-check";
import { expect, test } from "vitest";
import { parseUri, requestUriOf, uriHeadersOf } from "../../../rules/sip-uri.ts";
import { BODY_OCTETS_MAX, Framer, HEADER_OCTETS_MAX } from "./framer.ts";
import { contactOf, contactsOf, hasToken, headerOf, sdpOf, valuesOf } from "./message.ts";
import { parseNameAddr, splitValues } from "./name-addr.ts";
import { HEADERS_MAX, parseMessage } from "./parse.ts";
import { parseVia, viaWithReceived } from "./via.ts";
import { fieldLine, writeRequest, writeResponse } from "./write.ts";

const INVITE = [
  "INVITE sip:+14155550100@127.0.0.2 SIP/2.0",
  "Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKabc;rport",
  "Via: SIP/2.0/TCP 10.0.0.1;branch=z9hG4bKdef",
  "Max-Forwards: 70",
  'From: "Alice" <sip:alice@127.0.0.1>;tag=a',
  "To: <sip:+14155550100@127.0.0.2>",
  "Call-ID: call@127.0.0.1",
  "CSeq: 1 INVITE",
  "Contact: <sip:alice@127.0.0.1:5070>",
  "Content-Type: application/sdp",
  "Content-Length: 5",
  "",
  "v=0\r\n",
].join("\r\n");

function read(text: string) {
  const parsed = parseMessage(text);
  if (!parsed.ok) throw new Error(parsed.refusal.reason);
  return parsed.message;
}

test("a message is read, in compact forms, other case, folded and with bare line feeds", () => {
  const strange = INVITE.replace("Via: SIP/2.0/UDP", "v :  SIP / 2.0 / udp")
    .replace("From: ", "F:\r\n\t")
    .replace("Contact", "m")
    .replace("Content-Length", "cOnTeNt-LeNgTh")
    .replaceAll("\r\n", "\n")
    .replace("v=0\n", "v=0\r\n");
  for (const text of [INVITE, strange]) {
    const message = read(text);
    expect(message).toMatchObject({ method: "INVITE", cseq: 1, callId: "call@127.0.0.1", fromTag: "a", toTag: "" });
    expect(message.via).toMatchObject({ transport: "UDP", host: "127.0.0.1", port: 5070, branch: "z9hG4bKabc" });
    expect(valuesOf(message, "via")).toHaveLength(2);
    expect(contactOf(message)?.uri).toBe("sip:alice@127.0.0.1:5070");
    expect(sdpOf(message)).toBe("v=0\r\n");
  }
});

test.each([
  ["a header that never ends", INVITE.split("\r\n\r\n")[0] ?? ""],
  ["a Content-Length that lies", INVITE.replace("Length: 5", "Length: 6")],
  ["a field without a colon", INVITE.replace("Max-Forwards: 70", "Max-Forwards 70")],
  ["a carriage return inside a field", INVITE.replace("Alice", "Al\rice")],
  ["too many fields", INVITE.replace("\r\nTo:", `${"\r\nX: y".repeat(HEADERS_MAX)}\r\nTo:`)],
  ["a method that is no token", INVITE.replaceAll("INVITE", "INV{TE")],
  ["a From without a URI", INVITE.replace("<sip:alice@127.0.0.1>;tag", "<>;tag")],
])("%s is refused", (_, text) => {
  expect(parseMessage(text).ok).toBe(false);
});

const refusalOf = (text: string) => {
  const parsed = parseMessage(text);
  return parsed.ok ? undefined : parsed.refusal;
};

test.each([
  ["SIP/2.0 200 OK", { status: 200, reason: "OK" }],
  ["SIP/2.0 100 ", { status: 100, reason: "" }],
  ["SIP/2.0 699", { status: 699, reason: "" }],
])("the status line %j is read", (line, parts) => {
  expect(read(INVITE.replace(/^[^\r]*/, line))).toMatchObject({ kind: "response", method: "INVITE", ...parts });
});

test.each(["SIP/2.0 099 X", "SIP/2.0 700 X", "SIP/2.0 2000 X", "SIP/2.0 20", "SIP/3.0 200 OK", "SIP/2.0 200-OK"])(
  "the status line %j is refused, without an answer",
  (line) => {
    expect(refusalOf(INVITE.replace(/^[^\r]*/, line))).toMatchObject({ status: 400, method: undefined });
  },
);

test.each([
  ["INVITE sip:a@b SIP/3.0", 505, "INVITE"],
  ["INVITE sip:a@b HTTP/1.1", 400, "INVITE"],
  ["INVITE SIP/2.0", 400, "INVITE"],
  [" sip:a@b SIP/2.0", 400, undefined],
  ["INVITE sip:a@b?x=y SIP/2.0", 400, "INVITE"],
  ["INVITE nonsense SIP/2.0", 400, "INVITE"],
  ["ACK sip:a@b SIP/3.0", 505, undefined],
  [`${"M".repeat(65)} sip:a@b SIP/2.0`, 400, undefined],
  [`${"M".repeat(64)} sip:a@b SIP/3.0`, 505, "M".repeat(64)],
])("the request line %j is refused with %i", (line, status, method) => {
  expect(refusalOf(INVITE.replace(/^[^\r]*/, line))).toMatchObject({ status, method });
});

test("a method of 64 characters, any case of the version and line breaks before are read", () => {
  const method = "M".repeat(64);
  expect(read(INVITE.replaceAll("INVITE", method)).method).toBe(method);
  expect(read(INVITE.replace("SIP/2.0", "sip/2.0")).method).toBe("INVITE");
  expect(read(`\r\n\n${INVITE}`).method).toBe("INVITE");
});

test.each([
  ["Max-Forwards: 70", "Max-Forwards: 256", "Malformed Max-Forwards"],
  ["Max-Forwards: 70", "Max-Forwards: 70\r\nMax-Forwards: 70", "Max-Forwards twice"],
  ["Max-Forwards: 70", "Date: today", "Malformed Date"],
  ["Max-Forwards: 70", "{}: 70", "A malformed header field name"],
  ["Max-Forwards: 70", ": 70", "A malformed header field name"],
  ["Call-ID: call@127.0.0.1\r\n", "", "Call-ID is missing"],
  ["Call-ID: call@127.0.0.1", "Call-ID: a b", "Malformed Call-ID"],
  ["UDP 127.0.0.1:5070;branch=z9hG4bKabc", "UDP 127.0.0.1;branch=z9hG4bK", "An empty branch in Via"],
  ["SIP/2.0/UDP", "SIP/9.0/UDP", "Malformed Via"],
  ["To: <sip:+14155550100@127.0.0.2>", "To: <>", "Malformed To"],
  ["CSeq: 1 INVITE", "CSeq: 1 BYE", "CSeq names another method"],
  ["CSeq: 1 INVITE", "CSeq: 2147483648 INVITE", "Malformed CSeq"],
  ["CSeq: 1 INVITE", "CSeq: 1", "Malformed CSeq"],
  ["CSeq: 1 INVITE", "CSeq: 1 INV{TE", "Malformed CSeq"],
  ["Contact: <sip:alice", "Contact: <sip:x@y>, <sip alice", "Malformed Contact"],
  ["Contact: <sip:alice@127.0.0.1:5070>", 'Contact: "a, <sip:x@y>', "Malformed Contact"],
  ["Content-Length: 5", "Content-Length: x", "Content-Length does not fit"],
])("a message with %j replaced by %j is refused", (from, to, reason) => {
  expect(refusalOf(INVITE.replace(from, to))).toMatchObject({ status: 400, reason, method: "INVITE" });
});

test("a header that ends before a line without a colon is refused for that, whatever follows", () => {
  const reason = "A header field without a colon";
  expect(refusalOf(INVITE.replace("Max-Forwards: 70", "Max-Forwards 70"))).toMatchObject({ reason });
  expect(refusalOf("INVITE sip:a@b SIP/2.0\r\nVia\r\n\r\n")).toMatchObject({ reason });
});

test("limits are reached but not passed", () => {
  const fields = INVITE.slice(0, INVITE.indexOf("\r\n\r\n")).split("\r\n").length - 1;
  const more = (count: number) => INVITE.replace("\r\nTo:", `${"\r\nX: y".repeat(count)}\r\nTo:`);
  expect(read(more(HEADERS_MAX - fields)).headers).toHaveLength(2 * HEADERS_MAX);
  expect(refusalOf(more(HEADERS_MAX - fields + 1))).toMatchObject({ reason: "Too many header fields" });
  expect(read(INVITE.replace("CSeq: 1 ", "CSeq: 2147483647 ")).cseq).toBe(2147483647);
  expect(read(INVITE.replace("Forwards: 70", "Forwards: 255")).headers).toContain("255");
});

test("white space around a value is not part of it, and a value may be empty", () => {
  const shown = (written: string) => headerOf(read(INVITE.replace("Max-Forwards: 70", written)), "subject");
  expect(shown("Subject: \t a b \t")).toBe("a b");
  expect(shown("Subject:")).toBe("");
  expect(shown("Subject:  ")).toBe("");
  expect(shown("Subject: a\r\n b\r\n\tc")).toBe("a b c");
  expect(refusalOf("INVITE sip:a@b SIP/2.0\r\nX: a\r\n b")).toMatchObject({ reason: "The header has no end" });
});

test("octets beyond Content-Length are ignored, and without one the body is the rest", () => {
  expect(read(`${INVITE}more`).body).toBe("v=0\r\n");
  expect(read(`${INVITE.replace("Content-Length: 5\r\n", "")}more`).body).toBe("v=0\r\nmore");
});

test("Contact may be a star, and a Date in GMT is read", () => {
  const date = "Date: Sat, 13 Nov 2010 23:29:00 GMT";
  const text = INVITE.replace("<sip:alice@127.0.0.1:5070>", "*").replace("Max-Forwards: 70", date);
  expect(contactOf(read(text))).toBeUndefined();
});

test("a header of 64 KB is read in no time, and a Request-URI of that length is 414", () => {
  const long = "x".repeat(64 * 1024);
  expect(headerOf(read(INVITE.replace("Max-Forwards: 70", `X-Long: ${long}`)), "x-long")).toHaveLength(long.length);
  const parsed = parseMessage(INVITE.replace("+14155550100@127.0.0.2 SIP", `${long}@127.0.0.2 SIP`));
  expect(parsed).toMatchObject({ ok: false, refusal: { status: 414, method: "INVITE" } });
});

test("no value that is written can begin another field", () => {
  expect(fieldLine("X", "a\r\nEvil: b\n\tc\0")).toBe("X: a  Evil: b  c \r\n");
});

test("any octets give a message or a refusal, and never throw", () => {
  const octets = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
  fc.assert(
    fc.property(octets, fc.nat(INVITE.length), fc.nat(40), (noise, at, cut) => {
      parseMessage(noise);
      const parsed = parseMessage(INVITE.slice(0, at) + noise + INVITE.slice(at + cut));
      if (parsed.ok) {
        for (const name of ["contact", "via", "record-route", "x"]) valuesOf(parsed.message, name);
        writeResponse(parsed.message, { address: "1.2.3.4", port: 1 }, response(200));
      }
      parseUri(noise);
      parseUri(`sip:${noise}`);
      parseNameAddr(noise);
      parseVia(`SIP/2.0/UDP ${noise}`);
      splitValues(noise);
      uriHeadersOf(noise);
    }),
    { numRuns: 2000 },
  );
});

function response(status: number) {
  return { status, toTag: "t", lines: "", contentType: "", body: "" };
}

test("what is written is read back as it was", () => {
  const name = fc.string({ unit: fc.constantFrom(..."abc019-_+"), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(name, name, fc.nat(0x7fffffff), fc.string({ maxLength: 50 }), (user, tag, cseq, body) => {
      const latin = Buffer.from(body, "utf8").toString("latin1");
      const uri = `sip:${user}@example.com`;
      const ends = { from: `<${uri}>;tag=${tag}`, to: "<sip:bob@example.com>", callId: `${user}@x` };
      const content = { lines: fieldLine("Subject", user), contentType: latin === "" ? "" : "text/plain", body: latin };
      const draft = { method: "INFO", uri, routes: ["<sip:p;lr>"], maxForwards: 5, ...ends, cseq, ...content };
      const message = read(writeRequest(draft, "SIP/2.0/UDP h:1;branch=z9hG4bK1"));
      expect(message).toMatchObject({ method: "INFO", uri, cseq, fromTag: tag, toTag: "", body: latin });
      expect(headerOf(message, "subject")).toBe(user);
      const answer = read(writeResponse(message, { address: "192.0.2.1", port: 77 }, response(486)));
      expect(answer).toMatchObject({ status: 486, reason: "Busy Here", method: "INFO", cseq, toTag: "t" });
      expect(headerOf(answer, "via")).toBe("SIP/2.0/UDP h:1;branch=z9hG4bK1;received=192.0.2.1");
    }),
  );
});

test("a response goes where the request came from (RFC 3581)", () => {
  const via = (value: string) => {
    const parsed = parseVia(value);
    return parsed && viaWithReceived(value, parsed, "192.0.2.9", 6000);
  };
  const plain = "SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK1";
  expect(via(plain)).toBe(plain);
  expect(via("SIP/2.0/UDP 10.0.0.1;rport;branch=z9hG4bK1, SIP/2.0/UDP b")).toBe(
    "SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK1;received=192.0.2.9;rport=6000, SIP/2.0/UDP b",
  );
});

test.each([
  ["sip:alice@example.com", { user: "alice", host: "example.com", port: undefined }],
  ["SIP:alice@EXAMPLE.com:5080;transport=TCP?X-A=b", { host: "example.com", port: 5080, headers: "X-A=b" }],
  ["sips:[2001:db8::1]:5061", { scheme: "sips", user: "", host: "2001:db8::1", port: 5061 }],
  ["tel:+1-415-555-0100;phone-context=x", { scheme: "tel", number: "+1-415-555-0100" }],
  ["mailto:a@b", { scheme: "other" }],
])("%s is read", (text, parts) => {
  expect(parseUri(text)).toMatchObject(parts);
});

test.each([
  "",
  "alice",
  "sip:",
  "sip:a b@c",
  "sip:a@",
  "sip:a@b:99999",
  "sip:a@[zz]",
  "sip:%zz@b",
  "sip:a@b?x=<",
  "tel:x",
])("%s is no URI", (text) => {
  expect(parseUri(text)).toBeUndefined();
});

test("a Request-URI has no headers and no method", () => {
  const uri = parseUri("sip:a@b:5080;transport=tcp;method=BYE;lr?X=y");
  expect(uri && "host" in uri && requestUriOf(uri)).toBe("sip:a@b:5080;transport=tcp;lr");
  expect(uriHeadersOf("X-Tenant=acme%20inc&B=c")).toEqual([
    ["X-Tenant", "acme inc"],
    ["B", "c"],
  ]);
  expect(uriHeadersOf("X=a%0D%0AEvil:b")).toBeUndefined();
});

test("an SDP is found in a multipart body, and no other type is taken for one", () => {
  const part = (type: string, body: string) => `--b\r\nX: y\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const body = `${part("application/isup", "\u0001\u0002")}${part("application/SDP", "v=0\r\n")}--b--\r\n`;
  expect(sdpOf({ headers: ["content-type", 'multipart/mixed;boundary="b"'], body })).toBe("v=0\r\n");
  expect(sdpOf({ headers: ["content-type", "multipart/mixed;boundary=c"], body })).toBeUndefined();
  expect(sdpOf({ headers: ["content-type", "multipart/mixed"], body })).toBeUndefined();
  expect(sdpOf({ headers: ["content-type", "text/plain"], body: "v=0\r\n" })).toBeUndefined();
});

test("contacts are tried by their q; one without it comes first", () => {
  const contact = "Contact: <sip:half@x>;q=0.5, <sip:full@x>, <sip:last@x>;q=0, <sip:odd@x>;q=x, <sip:most@x>;q=0.9";
  const message = read(INVITE.replace("Contact: <sip:alice@127.0.0.1:5070>", contact));
  const users = contactsOf(message).map(({ uri }) => uri.slice(4, -2));
  expect(users).toEqual(["full", "most", "half", "last", "odd"]);
});

test("tokens are found in any place and case", () => {
  const message = { headers: ["supported", "100rel, Timer", "supported", "x"] };
  expect(["100rel", "timer", "x", "y"].map((token) => hasToken(message, "supported", token))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("a stream is cut into the same messages however it arrives", () => {
  const other = INVITE.replace("Content-Length: 5", "l: 0").replace(/v=0\r\n$/, "");
  const stream = `\r\n\r\n${INVITE}${other}\r\n${INVITE}`;
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
      const framer = new Framer();
      const messages: string[] = [];
      const places = [0, ...cuts.toSorted((one, next) => one - next), stream.length];
      for (const [at, place] of places.entries()) {
        const framed = framer.push(stream.slice(place, places[at + 1]));
        expect(framed.fault).toBeUndefined();
        messages.push(...framed.messages);
      }
      expect(messages).toEqual([INVITE, other, INVITE]);
    }),
  );
});

test.each([
  ["a header without end", "X".repeat(70_000)],
  ["a length that is no number", INVITE.replace("Length: 5", "Length: -5")],
  ["two lengths", INVITE.replace("Content-Length: 5", "Content-Length: 5\r\nl: 5")],
  ["a body that is too long", INVITE.replace("Length: 5", "Length: 99999999")],
])("a stream with %s is useless from there on", (_, text) => {
  const framer = new Framer();
  expect(framer.push(text).fault).toBeDefined();
  expect(framer.push(INVITE).messages).toEqual([]);
});

test("a header and a body as long as they may be are read, and one octet more is a fault", () => {
  const head = (length: number, bodyLength: number | string) => {
    const last = `l: ${bodyLength}\r\n\r\n`;
    return `${"X: ".padEnd(length - last.length - 2, "y")}\r\n${last}`;
  };
  const framed = (text: string) => new Framer().push(text);
  const body = "b".repeat(BODY_OCTETS_MAX);
  const longest = head(HEADER_OCTETS_MAX, BODY_OCTETS_MAX) + body;
  expect(framed(longest)).toMatchObject({ messages: [longest], fault: undefined });
  expect(framed(head(100, BODY_OCTETS_MAX + 1)).fault).toBe("the length of the body cannot be used");
  expect(framed(head(HEADER_OCTETS_MAX, "x")).fault).toBe("the length of the body cannot be used");
  expect(framed(head(HEADER_OCTETS_MAX + 1, 0)).fault).toBe("the header is too long");
  expect(framed("X".repeat(HEADER_OCTETS_MAX)).fault).toBeUndefined();
  expect(framed("X".repeat(HEADER_OCTETS_MAX + 1)).fault).toBe("the header is too long");
});

test("a header may end with bare line feeds, and line breaks between messages are pings", () => {
  expect(new Framer().push("A\nl: 1\n\nbA\n\n").messages).toEqual(["A\nl: 1\n\nb", "A\n\n"]);
  expect(["\r\n", "\r\n\r\n"].map((text) => new Framer().push(text).pings)).toEqual([0, 1]);
});
