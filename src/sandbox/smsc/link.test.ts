import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { encodePdu } from "../../../test/fakes/encode-pdu.ts";
import { bindTo, silentLog, startSmsc } from "../../../test/fakes/sandbox-smsc.ts";
import { COMMAND_ID } from "../../wire/smpp/commands.ts";
import { Framer } from "../../wire/smpp/framer.ts";
import type { Unnumbered } from "../../wire/smpp/pdu.ts";
import { SESSION_SETTINGS } from "../../wire/smpp/session-state.ts";
import { Link } from "./link.ts";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

function octets(pdu: Unnumbered, sequence: number): Uint8Array {
  const encoded = encodePdu(pdu, sequence);
  return encoded.ok ? encoded.value : expect.fail(encoded.refusal);
}

/** A PDU with any body, or any octets at all. */
const hostile = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.values(COMMAND_ID), 0x113), fc.nat(9), fc.uint8Array({ maxLength: 80 }))
      .map(([id, sequence, body]) => {
        const bytes = Buffer.alloc(16 + body.length);
        bytes.writeUInt32BE(bytes.length, 0);
        bytes.writeUInt32BE(id, 4);
        bytes.writeUInt32BE(sequence, 12);
        bytes.set(body, 16);
        return bytes;
      }),
  },
);

const BIND = octets(
  {
    command: "bind_transceiver",
    systemId: "mallory",
    password: "",
    systemType: "",
    interfaceVersion: 0x34,
    addrTon: 0,
    addrNpi: 0,
    addressRange: "",
  },
  1,
);

test("whatever octets one client sends, the others are served", async () => {
  const smsc = await startSmsc();
  const esme = await bindTo(smsc);
  const streams = fc.tuple(fc.boolean(), fc.array(hostile, { maxLength: 12 }), fc.integer({ min: 1, max: 400 }));
  await fc.assert(
    fc.asyncProperty(streams, async ([isBound, pieces, chunkLength]) => {
      const socket = await connectTo(smsc.port);
      const closed = once(socket, "close");
      socket.resume();
      const stream = Buffer.concat(isBound ? [BIND, ...pieces] : pieces);
      for (let at = 0; at < stream.length; at += chunkLength) socket.write(stream.subarray(at, at + chunkLength));
      socket.end();
      await closed;
    }),
    { numRuns: 60 },
  );
  await esme.submitted("+14155551234");
  await esme.receipts(1);
});

test("a length that cannot be is answered with a nack and the end", async () => {
  const smsc = await startSmsc();
  const socket = await connectTo(smsc.port);
  socket.write(Uint8Array.of(0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0));
  const heard = await socket.toArray();
  expect(Buffer.concat(heard).toString("hex")).toBe("00000010800000000000000200000000");
});

test("an ESME that does not bind is sent away", async () => {
  const smsc = await startSmsc({ session: { bindTimeoutMs: 10 } });
  const socket = await connectTo(smsc.port);
  expect(await socket.toArray()).toEqual([]);
});

test("an ESME that is silent is asked, and sent away when it does not answer", async () => {
  const smsc = await startSmsc({ session: { enquireIntervalMs: 10, enquireTimeoutMs: 10 } });
  const socket = await connectTo(smsc.port);
  socket.write(BIND);
  const { pdus } = new Framer().push(Buffer.concat(await socket.toArray()));
  const ids = pdus.map((pdu) => Buffer.from(pdu).readUInt32BE(4));
  expect(ids).toEqual([COMMAND_ID.bind_transceiver_resp, COMMAND_ID.enquire_link]);
});

test("a peer that does not read is not read either, and loses nothing", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const client = await connectTo((server.address() as { port: number }).port);
  const [socket] = (await accepted) as [Socket];
  sockets.push(socket);
  const owner = { judgeBind: () => 0, bound: () => {}, requested: () => {}, freed: () => {}, ended: () => {} };
  // A long timeout, because the client never binds and the machine may be slow.
  const settings = { ...SESSION_SETTINGS, bindTimeoutMs: 600_000 };
  const paused = once(socket, "pause");
  new Link(socket, { owner, settings, systemId: "smsc", log: silentLog });
  const enquiry = Buffer.from(octets({ command: "enquire_link" }, 1));
  const many = Buffer.concat(new Array<Buffer>(1000).fill(enquiry));
  let sent = 0;
  let isPaused = false;
  void paused.then(() => {
    isPaused = true;
  });
  while (!isPaused) {
    sent += 1000;
    if (!client.write(many)) await Promise.race([once(client, "drain"), paused]);
  }
  expect(socket.writableLength).toBeLessThan(1 << 20);
  let heard = 0;
  client.on("data", (chunk) => {
    heard += chunk.length;
  });
  while (heard < sent * 16) await once(client, "data");
  expect(heard).toBe(sent * 16);
  server.close();
});
