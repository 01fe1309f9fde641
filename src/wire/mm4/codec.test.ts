import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeMm4, forwardLength } from "./encode.ts";
import { readHeaderFields } from "./header-fields.ts";
import { type ForwardRequest, idOf, MM_STATUSES, type Mm4Message, REQUEST_STATUSES } from "./messages.ts";
import { PARTS_MAX } from "./mime-parts.ts";
import { parseMm4 } from "./parse.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

const printable = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll(/\p{Cc}/gu, ""));
const id = fc.stringMatching(/^"[0-9A-Za-z.@_-]{1,60}"$/);
const address = fc
  .tuple(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), fc.domain())
  .map(([n, host]) => `${n}/TYPE=PLMN@${host}`);
const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((moment) => {
  moment.setMilliseconds(0);
  return moment;
});
const text = fc.string({ unit: "binary", maxLength: 300 }).filter((value) => value.isWellFormed());
const name = printable.map((value) => value.replaceAll(/[<>/\\]/g, "").trim());
const contentType = fc.constantFrom("image/jpeg", "image/png", "video/3gpp", "text/x-vcard", "text/plain", "audio/amr");
const media = fc.record({ contentType, name, bytes: fc.uint8Array({ maxLength: 300 }) });

const transaction = { transactionId: id, messageId: id };
const origin = { from: address, originatorSystem: address, isAckRequested: fc.boolean(), date };
const message: fc.Arbitrary<Mm4Message> = fc.oneof(
  fc.record({
    kind: fc.constant("forward" as const),
    ...transaction,
    ...origin,
    to: fc.array(address, { minLength: 1, maxLength: 20 }),
    isReportRequested: fc.boolean(),
    expiresAt: date,
    subject: printable,
    text,
    media: fc.array(media, { maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant("deliveryReport" as const),
    ...transaction,
    ...origin,
    to: address,
    status: fc.constantFrom(...MM_STATUSES),
    statusText: printable,
  }),
  fc.record({ kind: fc.constant("readReport" as const), ...transaction, ...origin, to: address, isRead: fc.boolean() }),
  fc.record({
    kind: fc.constant("response" as const),
    ...transaction,
    answers: fc.constantFrom("forward" as const, "deliveryReport" as const, "readReport" as const),
    sender: address,
    recipient: address,
    date,
    status: fc.constantFrom(...REQUEST_STATUSES),
    statusText: printable,
  }),
);

const sample: ForwardRequest = {
  kind: "forward",
  transactionId: '"T1"',
  messageId: '"M1@us.example"',
  from: "+15551230001/TYPE=PLMN@us.example",
  to: ["+15551230002/TYPE=PLMN@them.example"],
  originatorSystem: "mm4@us.example",
  isAckRequested: true,
  isReportRequested: true,
  subject: "",
  text: "hello",
  media: [],
};

test("what is written is read again", () => {
  fc.assert(
    fc.property(message, (value) => {
      const parsed = parseMm4(encodeMm4(value));
      expect(parsed).toEqual({ ok: true, value: trimmed(value) });
    }),
    { numRuns: 300 },
  );
});

/** Names are cut to a length that fits on a line. */
function trimmed(value: Mm4Message): Mm4Message {
  if (value.kind !== "forward") return value;
  const cut = (text: string) => Array.from(text).slice(0, 64).join("").trim();
  return { ...value, media: value.media.map((part) => ({ ...part, name: cut(part.name) })) };
}

test("every line is ASCII, ends in CRLF and is short enough for SMTP", () => {
  fc.assert(
    fc.property(message, (value) => {
      const lines = textOf(encodeMm4(value)).split("\r\n");
      expect(lines.filter((line) => !/^[ -~]{0,998}$/.test(line))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("\r\nBcc: x@y", "\n\nbody", "a\rX-Mms-Ack-Request: No", "\u0085X: y", "\u2028X: y", '"\r\n.\r\n'),
);

test("no value can add a header field or a part", () => {
  const order = fc.record({
    transactionId: hostile,
    messageId: hostile,
    from: hostile,
    to: fc.array(hostile, { minLength: 1, maxLength: 3 }),
    originatorSystem: hostile,
    subject: hostile,
    text: hostile,
    media: fc.array(fc.record({ contentType: hostile, name: hostile, bytes: hostile.map(bytesOf) }), { maxLength: 3 }),
  });
  const known = new Set(fieldNames(encodeMm4({ ...sample, subject: "x", expiresAt: new Date(0), date: new Date(0) })));
  fc.assert(
    fc.property(order, (values) => {
      const bytes = encodeMm4({ ...sample, ...values });
      expect(fieldNames(bytes).filter((field) => !known.has(field))).toEqual([]);
      expect(textOf(bytes).split("--=_tandem_mm4\r\n").length - 1).toBe(
        1 + (values.text === "" ? 0 : 1) + values.media.length,
      );
    }),
    { numRuns: 300 },
  );
});

function fieldNames(bytes: Uint8Array): readonly string[] {
  const block = readHeaderFields(bytes, 0, bytes.length, 1 << 20);
  return block.ok ? [...block.value.fields.keys()] : ["unreadable"];
}

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      parseMm4(bytes);
    }),
    { numRuns: 500 },
  );
});

test("a message with bytes changed, lost or doubled is read or refused", () => {
  const change = fc.tuple(fc.nat(5000), fc.nat(40), fc.uint8Array({ maxLength: 40 }));
  fc.assert(
    fc.property(message, fc.array(change, { maxLength: 6 }), (value, changes) => {
      let bytes = encodeMm4(value);
      for (const [at, lost, put] of changes) {
        bytes = Uint8Array.from([...bytes.slice(0, at), ...put, ...bytes.slice(at + lost)]);
      }
      parseMm4(bytes);
    }),
    { numRuns: 300 },
  );
});

const HEAD = [
  "X-Mms-Message-Type: MM4_forward.REQ",
  "X-Mms-Transaction-ID: T9",
  "X-Mms-Message-ID: <M9@mmsc.example>",
  "From: <+15551230001/TYPE=PLMN@mmsc.example>",
  'To: "Smith, <Bob>" <+15551230002/TYPE=PLMN@us.example>,',
  "\t15551230003/TYPE=PLMN@us.example",
].join("\r\n");

function forward(...lines: readonly string[]): ForwardRequest {
  const parsed = parseMm4(bytesOf([HEAD, ...lines].join("\r\n")));
  if (!parsed.ok || parsed.value.kind !== "forward") throw new Error(JSON.stringify(parsed));
  return parsed.value;
}

test("a message of another maker is read: mixed parts, each in its own encoding", () => {
  const parsed = forward(
    "Sender: system-user@mmsc.example",
    "subject: =?iso-8859-1?Q?Gr=FC=DFe_?=",
    " =?utf-8?B?8J+Ygg==?=",
    'Content-Type: multipart/mixed; Boundary="b 1"',
    "",
    "preamble",
    "--b 1",
    "Content-Type: multipart/alternative; boundary=inner",
    "",
    "--inner",
    'Content-Type: text/plain; charset="iso-8859-1"',
    "Content-Transfer-Encoding: Quoted-Printable",
    "",
    "Caf=E9 =",
    "und Tee =3D ja=zz",
    "--inner--",
    "--b 1 ",
    "Content-Type: IMAGE/JPEG; name*0*=utf-8''%E2%82; name*1*=%AC; name*2=\"%20.jpg\"",
    "Content-Transfer-Encoding: base64",
    "",
    "/9j/4AAQ SkZJ",
    "RgAB",
    "--b 1",
    "Content-Type: application/smil",
    "",
    "<smil/>",
    "--b 1",
    "Content-Type: image/gif",
    "Content-Transfer-Encoding: binary",
    "Content-Location: ../../etc/one.gif",
    "",
    "GIF89a",
    "--b 1--",
    "epilogue",
  );
  expect(parsed).toMatchObject({
    transactionId: "T9",
    messageId: "<M9@mmsc.example>",
    originatorSystem: "system-user@mmsc.example",
    to: ["+15551230002/TYPE=PLMN@us.example", "15551230003/TYPE=PLMN@us.example"],
    subject: "Grüße 😂",
    text: "Café und Tee = ja=zz",
    isAckRequested: false,
  });
  expect(parsed.media.map(({ contentType, name }) => [contentType, name])).toEqual([
    ["image/jpeg", "€%20.jpg"],
    ["image/gif", "one.gif"],
  ]);
  expect(parsed.media[0]?.bytes).toEqual(Uint8Array.from([255, 216, 255, 224, 0, 16, 74, 70, 73, 70, 0, 1]));
  expect(textOf(parsed.media[1]?.bytes ?? new Uint8Array())).toBe("GIF89a");
});

test("a message is read as the MMS centre Mbuni 1.4 writes it", () => {
  const lines = [
    "X-Mms-MMS-Version: 1.0",
    "X-Mms-Message-Class: Personal",
    "X-Mms-Delivery-Report: Yes",
    "Subject: =?utf-8?B?R3LDvMOfZQ==?=",
    "To: +15551230001/TYPE=PLMN",
    "From: +15559870002/TYPE=PLMN",
    "Date: Sun, 15 Nov 2026 05:41:42 GMT",
    "MIME-Version: 1.0",
    'Content-Type: multipart/related;  type="application/smil"; start="<smil>"; boundary=_boundary_168_Y_h_bd494',
    'X-Mms-Message-ID: "XM888@mms.tandem.test"',
    "Message-ID: <XM888@mms.tandem.test>",
    "X-Mms-3GPP-MMS-Version: 5.5.0",
    "X-Mms-Originator-System: system-user@mmsc.sandbox.test",
    "X-Mms-Message-Type: MM4_forward.REQ",
    "X-Mms-Ack-Request: Yes",
    "Sender: +15559870002/TYPE=PLMN",
    'X-Mms-Transaction-ID: "+15551230001/TYPE=PLMN-mmsc-qf1335.1.x202.12"',
    "",
    "",
    "--_boundary_168_Y_h_bd494",
    "Content-ID: <smil>",
    "Content-Type: application/smil; charset=utf-8",
    "",
    "<smil/>",
    "--_boundary_168_Y_h_bd494",
    "Content-ID: <text>",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    "aGVsbG8g8J+Zgg==",
    "",
    "--_boundary_168_Y_h_bd494",
    "Content-ID: <media0>",
    "Content-Disposition: inline; filename*=\"utf-8''gr%C3%B6%C3%9Fe.png\"",
    "Content-Type: image/png",
    "Content-Transfer-Encoding: base64",
    "",
    "iVBORw0KGgo=",
    "",
    "--_boundary_168_Y_h_bd494--",
    "",
  ];
  expect(parseMm4(bytesOf(lines.join("\r\n")))).toEqual({
    ok: true,
    value: {
      kind: "forward",
      transactionId: '"+15551230001/TYPE=PLMN-mmsc-qf1335.1.x202.12"',
      messageId: '"XM888@mms.tandem.test"',
      date: new Date("2026-11-15T05:41:42Z"),
      from: "+15559870002/TYPE=PLMN",
      to: ["+15551230001/TYPE=PLMN"],
      originatorSystem: "system-user@mmsc.sandbox.test",
      isAckRequested: true,
      isReportRequested: true,
      subject: "Grüße",
      text: "hello 🙂",
      media: [
        { contentType: "image/png", name: "größe.png", bytes: Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]) },
      ],
    },
  });
});

test("a message without parts is its text, and a message may be nothing", () => {
  expect(forward("Content-Type: text/plain", "", "hi there").text).toBe("hi there");
  expect(forward("").text).toBe("");
  expect(forward("Content-Type: image/png", "Content-Transfer-Encoding: base64", "", "AQID").media).toMatchObject([
    { contentType: "image/png", bytes: Uint8Array.from([1, 2, 3]) },
  ]);
});

test("lines may end in LF alone, and the last delimiter may be missing", () => {
  const lines = [HEAD, "Content-Type: multipart/related; boundary=b", "", "--b", "", "one", "--b", "", "two"];
  const parsed = parseMm4(bytesOf(lines.join("\n").replaceAll("\r", "")));
  expect(parsed).toMatchObject({ ok: true, value: { text: "one\ntwo" } });
});

test.each([
  ["no MM4 at all", "Subject: hi\r\n\r\nhello", "X-Mms-Message-Type is missing"],
  ["no transaction", "X-Mms-Message-Type: MM4_forward.REQ\r\n\r\n", "X-Mms-Transaction-ID"],
  ["nobody to go to", `${HEAD.replace(/To: .*/s, "To: ;")}\r\n\r\n`, "To has no address"],
  ["an unknown type", HEAD.replace("MM4_forward.REQ", "MM4_dance.REQ"), "MM4_dance.REQ"],
  ["an endless header", `${HEAD}\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, "the header is longer"],
  ["countless fields", `${HEAD}\r\n${"X: y\r\n".repeat(300)}\r\n`, "more than 256 fields"],
  ["no boundary", `${HEAD}\r\nContent-Type: multipart/mixed\r\n\r\n`, "no boundary"],
  ["countless recipients", `${HEAD}\r\nCc: ${"+15551230002,".repeat(101)}\r\n\r\n`, "more than 100"],
])("a message with %s is refused", (_, bytes, reason) => {
  const parsed = parseMm4(bytesOf(bytes));
  expect(parsed.ok ? "" : parsed.refusal).toContain(reason);
});

test("parts without number and parts without end are refused", () => {
  const many = `${HEAD}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(PARTS_MAX + 1)}--b--`;
  expect(parseMm4(bytesOf(many))).toMatchObject({ refusal: "there are more than 30 parts" });
  const nest = (depth: number): string =>
    depth === 0
      ? "\r\nx\r\n"
      : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nest(depth - 1)}--b${depth}--\r\n`;
  expect(parseMm4(bytesOf(`${HEAD}\r\n${nest(4)}`))).toMatchObject({ ok: true });
  expect(parseMm4(bytesOf(`${HEAD}\r\n${nest(5)}`))).toMatchObject({ refusal: expect.stringContaining("deep") });
});

test("an identifier is the same with and without its quotes or angles", () => {
  expect(['"a@b"', "<a@b>", "a@b"].map(idOf)).toEqual(["a@b", "a@b", "a@b"]);
});

test("the length of a message is reported before it is written", () => {
  const parts = [{ contentType: "image/jpeg", name: "a.jpg", bytes: new Uint8Array(100_000) }];
  const length = encodeMm4({ ...sample, media: parts }).length;
  const told = forwardLength(sample.text, parts);
  expect(length - told).toBeGreaterThan(0);
  expect(length - told).toBeLessThan(2500);
});
