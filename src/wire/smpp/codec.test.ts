import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { COMMAND_ID, commandName } from "./commands.ts";
import { decodePdu } from "./decode.ts";
import { type Pdu, submitSm, type Unnumbered } from "./pdu.ts";
import { STATUS, statusName } from "./statuses.ts";
import { TLV, type TlvName, type Tlvs, tlvOfTag } from "./tlv.ts";

const u8 = fc.nat(0xff);
const u16 = fc.nat(0xffff);
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const text = (octetsMax: number) =>
  fc
    .array(fc.integer({ min: 1, max: 255 }), { maxLength: octetsMax - 1 })
    .map((codes) => String.fromCharCode(...codes));
const octets = (lengthMax: number) => fc.uint8Array({ maxLength: lengthMax });
const address = (octetsMax = 21) => fc.record({ ton: u8, npi: u8, address: text(octetsMax) });
const sequence = u32;
const status = fc.constantFrom(...Object.values(STATUS), 0x400);

const VALUE = { u8, u16, u32, text: text(256), octets: octets(300), flag: fc.constant(true as const) };
const known = fc.record(
  Object.fromEntries(Object.entries(TLV).map(([name, { kind }]) => [name, VALUE[kind]])) as Record<
    TlvName,
    fc.Arbitrary<never>
  >,
  { requiredKeys: [] },
);
const other = fc.record({ tag: u16.filter((tag) => !tlvOfTag(tag)), value: octets(40) });
const tlvs: fc.Arbitrary<Tlvs> = fc.oneof(
  fc.constant({}),
  known,
  fc
    .tuple(known, fc.array(other, { minLength: 1, maxLength: 4 }))
    .map(([named, others]) => ({ ...named, others }) as Tlvs),
);

const message = {
  sequence,
  serviceType: text(6),
  source: address(),
  destination: address(),
  esmClass: u8,
  protocolId: u8,
  priorityFlag: u8,
  scheduleDeliveryTime: text(17),
  validityPeriod: text(17),
  registeredDelivery: u8,
  replaceIfPresentFlag: u8,
  dataCoding: u8,
  smDefaultMsgId: u8,
  shortMessage: octets(254),
  tlvs,
};
const bind = {
  sequence,
  systemId: text(16),
  password: text(9),
  systemType: text(13),
  interfaceVersion: u8,
  addrTon: u8,
  addrNpi: u8,
  addressRange: text(41),
};
const bindResponse = { sequence, status, systemId: text(16), tlvs };
const messageResponse = { sequence, status, messageId: text(65), tlvs };
const bare = { sequence };
const bareResponse = { sequence, status };

const FIELDS: { readonly [Command in Pdu["command"]]: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  bind_transmitter: bind,
  bind_receiver: bind,
  bind_transceiver: bind,
  bind_transmitter_resp: bindResponse,
  bind_receiver_resp: bindResponse,
  bind_transceiver_resp: bindResponse,
  unbind: bare,
  enquire_link: bare,
  unbind_resp: bareResponse,
  enquire_link_resp: bareResponse,
  cancel_sm_resp: bareResponse,
  replace_sm_resp: bareResponse,
  generic_nack: bareResponse,
  submit_sm: message,
  deliver_sm: message,
  submit_sm_resp: messageResponse,
  deliver_sm_resp: messageResponse,
  data_sm_resp: messageResponse,
  data_sm: {
    sequence,
    serviceType: text(6),
    source: address(65),
    destination: address(65),
    esmClass: u8,
    registeredDelivery: u8,
    dataCoding: u8,
    tlvs,
  },
  query_sm: { sequence, messageId: text(65), source: address() },
  query_sm_resp: { sequence, status, messageId: text(65), finalDate: text(17), messageState: u8, errorCode: u8 },
  cancel_sm: { sequence, serviceType: text(6), messageId: text(65), source: address(), destination: address() },
};

const COMMANDS = Object.keys(FIELDS) as Pdu["command"][];
const pduOf = (command: Pdu["command"]) =>
  fc.record({ command: fc.constant(command), ...FIELDS[command] }) as fc.Arbitrary<Pdu>;
const anyPdu = fc.constantFrom(...COMMANDS).chain(pduOf);
const encoded = (pdu: Pdu | Unnumbered, number = "sequence" in pdu ? pdu.sequence : 1) => {
  const bytes = encodePdu(pdu, number);
  return bytes.ok ? bytes.value : expect.fail(bytes.refusal);
};

test.each(COMMANDS)("%s comes back from the wire as it went", (command) => {
  fc.assert(
    fc.property(pduOf(command), (pdu) => {
      const bytes = encoded(pdu);
      expect(decodePdu(bytes)).toEqual({ ok: true, value: pdu });
    }),
    { numRuns: 60 },
  );
});

test("every command id has its name and every PDU a command", () => {
  const unread = ["outbind", "replace_sm", "submit_multi", "submit_multi_resp", "alert_notification"];
  expect([...COMMANDS, ...unread].toSorted()).toEqual(Object.keys(COMMAND_ID).toSorted());
  for (const [name, id] of Object.entries(COMMAND_ID)) expect(commandName(id)).toBe(name);
  expect(commandName(0x112)).toBeUndefined();
});

test("a PDU cut short anywhere is refused, whether its length says so or not", () => {
  fc.assert(
    fc.property(anyPdu, (pdu) => {
      const bytes = encoded(pdu);
      for (let length = 0; length < bytes.length; length++) {
        const cut = bytes.slice(0, length);
        expect(decodePdu(cut)).toMatchObject({ ok: false, refusal: { status: STATUS.ESME_RINVCMDLEN } });
        if (length < 16) continue;
        new DataView(cut.buffer, cut.byteOffset).setUint32(0, length);
        const result = decodePdu(cut);
        if (!result.ok)
          expect(result.refusal).toMatchObject({ sequence: pdu.sequence, commandId: COMMAND_ID[pdu.command] });
      }
    }),
    { numRuns: 40 },
  );
});

test("a PDU with octets changed, added or taken away gives a PDU or a refusal and never throws", () => {
  const change = fc.record({ at: fc.nat(700), value: u8, kind: fc.constantFrom("set", "insert", "remove") });
  fc.assert(
    fc.property(anyPdu, fc.array(change, { minLength: 1, maxLength: 8 }), fc.boolean(), (pdu, changes, fixLength) => {
      const octetsOf = [...encoded(pdu)];
      for (const { at, value, kind } of changes) {
        octetsOf.splice(at % octetsOf.length, kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [value]));
      }
      const bytes = Uint8Array.from(octetsOf);
      if (fixLength && bytes.length >= 16) new DataView(bytes.buffer).setUint32(0, bytes.length);
      const result = decodePdu(bytes);
      if (result.ok) expect(decodePdu(encoded(result.value))).toEqual(result);
      else expect(result.refusal.status).toBeGreaterThan(0);
    }),
    { numRuns: 1500 },
  );
});

test("any octets under any header give a PDU or a refusal", () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(COMMAND_ID), 0x112, 0x80000112), octets(200), (id, body) => {
      const bytes = new Uint8Array(16 + body.length);
      bytes.set(body, 16);
      const view = new DataView(bytes.buffer);
      view.setUint32(0, bytes.length);
      view.setUint32(4, id);
      view.setUint32(12, 7);
      const result = decodePdu(bytes);
      expect(result.ok ? result.value.sequence : result.refusal.sequence).toBe(7);
    }),
    { numRuns: 1500 },
  );
});

test("nothing is read beyond the PDU, nor kept of the octets it came in", () => {
  const submit = submitSm({ source: SOURCE, destination: SOURCE, shortMessage: new Uint8Array(100).fill(9) });
  const bytes = encoded(submit, 5);
  const around = new Uint8Array(bytes.length + 64).fill(0x41);
  around.set(bytes, 32);
  const result = decodePdu(around.subarray(32, 32 + bytes.length));
  around.fill(0xee);
  expect(result).toEqual({ ok: true, value: { ...submit, sequence: 5 } });
});

const SOURCE = { ton: 1, npi: 1, address: "14155550100" };
const MESSAGE = submitSm({ source: SOURCE, destination: SOURCE, shortMessage: Uint8Array.of(1, 2, 3) });

test.each<[string, Partial<typeof MESSAGE>]>([
  ["source_addr longer than 20", { source: { ...SOURCE, address: "1".repeat(21) } }],
  ["service_type longer than 5", { serviceType: "abcdef" }],
  ["short_message longer than 254", { shortMessage: new Uint8Array(255) }],
  ["validity_period longer than 16", { validityPeriod: "0".repeat(17) }],
  ["esm_class out of range", { esmClass: 256 }],
  ["data_coding out of range", { dataCoding: 1.5 }],
  ["destination_addr holds", { destination: { ...SOURCE, address: "1\u00002" } }],
  ["service_type holds", { serviceType: "€" }],
  ["sarMsgRefNum out of range", { tlvs: { sarMsgRefNum: 65536 } }],
  ["receiptedMessageId longer than 255", { tlvs: { receiptedMessageId: "1".repeat(256) } }],
  ["64 KiB", { tlvs: { messagePayload: new Uint8Array(65535) } }],
  ["messagePayload", { tlvs: { messagePayload: new Uint8Array(65536) } }],
  ["64 KiB", { tlvs: { others: Array(20000).fill({ tag: 0x1400, value: new Uint8Array(4) }) } }],
])("what SMPP has no space for is refused: %s", (reason, change) => {
  expect(encodePdu({ ...MESSAGE, ...change }, 1)).toEqual({ ok: false, refusal: expect.stringContaining(reason) });
  expect(decodePdu(encoded(MESSAGE))).toEqual({ ok: true, value: { ...MESSAGE, sequence: 1 } });
});

// The field's place in the submit_sm below, the octets put there, the status to answer with.
test.each<[string, number, readonly number[], number]>([
  ["service_type without its NUL", 16, Array(6).fill(65), STATUS.ESME_RINVSERTYP],
  ["source_addr without its NUL", 19, Array(21).fill(65), STATUS.ESME_RINVSRCADR],
  ["destination_addr without its NUL", 33, Array(21).fill(65), STATUS.ESME_RINVDSTADR],
  ["schedule_delivery_time without its NUL", 48, Array(17).fill(65), STATUS.ESME_RINVSCHED],
  ["validity_period without its NUL", 49, Array(17).fill(65), STATUS.ESME_RINVEXPIRY],
  ["sm_length over 254", 54, [255], STATUS.ESME_RINVMSGLEN],
  ["sm_length over what is there", 54, [200], STATUS.ESME_RINVCMDLEN],
  ["sm_length under what is there", 54, [60], STATUS.ESME_RINVOPTPARSTREAM],
])("%s is refused with its own status", (_name, at, patch, answer) => {
  const bytes = encoded({ ...MESSAGE, shortMessage: new Uint8Array(80).fill(0x42) }, 9);
  bytes.set(patch, at);
  expect(decodePdu(bytes)).toMatchObject({ ok: false, refusal: { status: answer, sequence: 9 } });
});

test("a TLV that runs past the end is refused; one of a strange length is kept as it is", () => {
  const bytes = encoded({ ...MESSAGE, tlvs: { messageState: 2 } });
  bytes[bytes.length - 2] = 2;
  expect(decodePdu(bytes)).toMatchObject({ ok: false, refusal: { status: STATUS.ESME_RINVOPTPARSTREAM } });
  const strange = { others: [{ tag: TLV.sarMsgRefNum.tag, value: Uint8Array.of(7) }] };
  expect(decodePdu(encoded({ ...MESSAGE, tlvs: strange }))).toMatchObject({ ok: true, value: { tlvs: strange } });
});

test("a message id TLV without its NUL is read all the same", () => {
  const value = Uint8Array.from("abc", (character) => character.charCodeAt(0));
  const result = decodePdu(encoded({ ...MESSAGE, tlvs: { others: [{ tag: TLV.receiptedMessageId.tag, value }] } }));
  expect(result).toMatchObject({ ok: true, value: { tlvs: { receiptedMessageId: "abc" } } });
});

test("a second TLV of the same tag is kept beside the first", () => {
  const others = [{ tag: TLV.messageState.tag, value: Uint8Array.of(5) }];
  const result = decodePdu(encoded({ ...MESSAGE, tlvs: { messageState: 2, others } }));
  expect(result).toMatchObject({ ok: true, value: { tlvs: { messageState: 2, others } } });
});

test("an error response has no body, and one is read without it", () => {
  const refusal = { command: "submit_sm_resp", status: STATUS.ESME_RTHROTTLED, messageId: "", tlvs: {} } as const;
  expect(encoded(refusal).length).toBe(16);
  expect(decodePdu(encoded(refusal))).toEqual({ ok: true, value: { ...refusal, sequence: 1 } });
});

test("the example of the specification is read as it is printed there", () => {
  // SMPP 3.4, 3.2.3: the bind_transmitter of "SMPP3TEST".
  const hex = `0000002f 00000002 00000000 00000001 534d5050 33544553 54007365 63726574
    30380053 55424d49 54310000 01010 0`.replaceAll(/\s/g, "");
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const expected = {
    command: "bind_transmitter",
    sequence: 1,
    systemId: "SMPP3TEST",
    password: "secret08",
    systemType: "SUBMIT1",
    interfaceVersion: 0,
    addrTon: 1,
    addrNpi: 1,
    addressRange: "",
  };
  expect(decodePdu(bytes)).toEqual({ ok: true, value: expected });
  expect(encoded(expected as Pdu)).toEqual(bytes);
});

test("statuses have names, a carrier's own one its number", () => {
  expect(statusName(0x58)).toBe("ESME_RTHROTTLED");
  expect(statusName(0x412)).toBe("0x00000412");
});
