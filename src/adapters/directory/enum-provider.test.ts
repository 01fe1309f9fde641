import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import {
  type DnsQuestion,
  dnsRecord,
  dnsReply,
  type NameServer,
  naptrRecord,
  naptrReply,
  startNameServer,
} from "../../../test/fakes/name-server.ts";
import { EnumProvider, type EnumProviderOptions } from "./enum-provider.ts";

const NUMBER = "+12155550123";
const PORTED = { regexp: `!^.*$!tel:${NUMBER};npdi;rn=+12155550199!` };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function nameServer(onQuestion?: (question: DnsQuestion) => void): Promise<NameServer> {
  const server = await startNameServer(onQuestion);
  closers.push(server.close);
  return server;
}

function provider(servers: readonly string[], more: Partial<EnumProviderOptions> = {}): EnumProvider {
  const made = new EnumProvider({
    name: "test",
    deadlineMs: 60_000,
    concurrencyMax: 10,
    suffix: "enum.test",
    servers,
    carriers: {},
    ...more,
  });
  closers.push(() => made.close());
  return made;
}

async function closedPort(): Promise<string> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return `127.0.0.1:${port}`;
}

const never = () => new AbortController().signal;

describe("the ENUM provider", () => {
  test("asks for the reversed number and reads the routing number", async () => {
    const server = await nameServer((question) => question.reply(naptrReply(question, PORTED)));
    await expect(provider([server.address]).ask(NUMBER, never())).resolves.toEqual({
      kind: "found",
      routingNumber: "+12155550199",
    });
    expect((await server.next()).name).toBe("3.2.1.0.5.5.5.5.1.2.1.enum.test");
  });

  test("names the carrier by its service provider number", async () => {
    const rule = { regexp: `!^(.*)$!tel:\\1;npdi;spn=42!` };
    const server = await nameServer((question) => question.reply(naptrReply(question, rule)));
    const carriers = { "42": "Example Mobile" };
    await expect(provider([server.address], { carriers }).ask(NUMBER, never())).resolves.toEqual({
      kind: "found",
      carrierName: "Example Mobile",
    });
  });

  test("asks the second server when the first is dead", async () => {
    const server = await nameServer((question) => question.reply(naptrReply(question, PORTED)));
    const asked = provider([await closedPort(), server.address]).ask(NUMBER, never());
    await expect(asked).resolves.toMatchObject({ routingNumber: "+12155550199" });
  });

  test.each([
    ["the name is not there", 3],
    ["the name holds no NAPTR", 0],
  ])("finds nothing when %s", async (_, rcode) => {
    const server = await nameServer((question) => question.reply(dnsReply(question, [], rcode)));
    await expect(provider([server.address]).ask(NUMBER, never())).resolves.toEqual({ kind: "notFound" });
  });

  test.each([
    ["FORMERR", 1],
    ["SERVFAIL", 2],
    ["NOTIMP", 4],
    ["REFUSED", 5],
  ])("fails when the server says %s", async (_, rcode) => {
    const server = await nameServer((question) => question.reply(dnsReply(question, [], rcode)));
    await expect(provider([server.address]).ask(NUMBER, never())).rejects.toThrow();
  });

  test("fails when the server is dead", async () => {
    await expect(provider([await closedPort()]).ask(NUMBER, never())).rejects.toThrow(/ECONNREFUSED/);
  });

  test("fails by itself when the server stays silent", async () => {
    const server = await nameServer();
    await expect(provider([server.address], { deadlineMs: 20 }).ask(NUMBER, never())).rejects.toThrow(/ETIMEOUT/);
  });
});

describe("an aborted question", () => {
  test("is over at once, and the others are still answered", async () => {
    const server = await nameServer();
    const asking = provider([server.address]);
    const controller = new AbortController();
    const aborted = asking.ask(NUMBER, controller.signal);
    const first = await server.next();
    const other = asking.ask("+12155550124", never());
    const second = await server.next();

    const reason = new Error("deadline");
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);

    first.reply(naptrReply(first, PORTED));
    second.reply(naptrReply(second, { regexp: "!^(.*)$!tel:\\1;npdi;rn=2155550177!" }));
    await expect(other).resolves.toEqual({ kind: "found", routingNumber: "+12155550177" });
    await expect(aborted).rejects.toBe(reason);
  });

  test("is not asked when the abort came first", async () => {
    let asked = 0;
    const server = await nameServer((question) => {
      asked += 1;
      question.reply(naptrReply(question, PORTED));
    });
    const asking = provider([server.address]);
    await expect(asking.ask(NUMBER, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    await asking.ask(NUMBER, never());
    expect(asked).toBe(1);
  });

  test("still counts until the server answers, so that a slow one does not gather questions without end", async () => {
    const server = await nameServer();
    const asking = provider([server.address], { concurrencyMax: 2 });
    const controller = new AbortController();
    const questions: DnsQuestion[] = [];
    const asked: Promise<unknown>[] = [];
    for (let i = 0; i < 4; i++) {
      asked.push(asking.ask(`+1215555010${i}`, controller.signal));
      questions.push(await server.next());
    }
    controller.abort(new Error("deadline"));
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    await expect(asking.ask(NUMBER, never())).rejects.toThrow("owes too many answers");
  });

  test("closing ends every question, twice is once", async () => {
    const server = await nameServer();
    const asking = provider([server.address]);
    const asked = asking.ask(NUMBER, never());
    await server.next();
    await Promise.all([asking.close(), asking.close(), expect(asked).rejects.toThrow(/ECANCELLED/)]);
    await expect(asking.ask(NUMBER, never())).rejects.toThrow("test is closed");
  });
});

describe("a lying name server", () => {
  const huge = (question: DnsQuestion) =>
    dnsReply(
      question,
      Array.from({ length: 760 }, () => naptrRecord(PORTED)),
    );
  const lies: readonly [string, (question: DnsQuestion) => Uint8Array][] = [
    ["random bytes", () => randomBytes(100)],
    ["nothing at all", () => Buffer.alloc(0)],
    ["its own question", ({ message }) => message],
    ["a header only", ({ message }) => message.subarray(0, 12)],
    [
      "the answer to another question's id",
      (question) => {
        const reply = naptrReply(question, PORTED);
        reply.writeUInt16BE(reply.readUInt16BE(0) ^ 0xffff, 0);
        return reply;
      },
    ],
    [
      "the answer to another name",
      (question) => {
        const reply = naptrReply(question, PORTED);
        reply[13] = "9".charCodeAt(0);
        return reply;
      },
    ],
    ["the truncated flag, and no TCP", (question) => dnsReply(question, [naptrRecord(PORTED)], 0, 0x0200)],
    ["60 KB of records", huge],
    ["a record cut short", (question) => naptrReply(question, PORTED).subarray(0, -9)],
    ["more records promised than sent", (question) => Buffer.concat([naptrReply(question, PORTED)]).fill(0xff, 6, 8)],
    ["a NAPTR full of noise", (question) => dnsReply(question, [dnsRecord(35, randomBytes(80))])],
    ["an address instead", (question) => dnsReply(question, [dnsRecord(1, Buffer.from([127, 0, 0, 1]))])],
    ["a name that points to itself", (question) => dnsReply(question, [dnsRecord(5, Buffer.from([0xc0, 0x0c]))])],
    [
      "a rule that backtracks for ever",
      (question) => naptrReply(question, { regexp: "!^((\\+|.+)+)+x$!tel:\\1;npdi!" }),
    ],
    ["a hundred stars", (question) => naptrReply(question, { regexp: `!^${".*".repeat(100)}x$!tel:+1;npdi!` })],
    [
      "a NUL in the rule",
      (question) => naptrReply(question, { regexp: `!^.*$!tel:${NUMBER};npdi;rn=+1215555\x000199!` }),
    ],
    ["a routing number that is none", (question) => naptrReply(question, { regexp: `!^.*$!tel:${NUMBER};npdi;rn=7!` })],
    ["another number's carrier", (question) => naptrReply(question, { regexp: "!^.*$!tel:+12155550124;npdi;spn=42!" })],
  ];

  test.each(lies)("that sends %s gets nothing found, and the next honest answer is heard", async (_, lie) => {
    let asked = 0;
    const server = await nameServer((question) => {
      asked += 1;
      question.reply(question.name.startsWith("3.2.1.") ? lie(question) : naptrReply(question, honest));
    });
    const honest = { regexp: "!^(.*)$!tel:\\1;npdi;rn=+12155550177!" };
    const asking = provider([server.address], { deadlineMs: 250, carriers: { "42": "Wrong Carrier" } });
    const outcome = await asking.ask(NUMBER, never()).catch((error: unknown) => error);
    if (!(outcome instanceof Error)) expect(outcome).toEqual({ kind: "notFound" });
    expect(asked).toBeGreaterThan(0);
    await expect(asking.ask("+12155550124", never())).resolves.toMatchObject({ routingNumber: "+12155550177" });
  });

  test("that lies while the deadline passes does not outlive it", async () => {
    const server = await nameServer();
    const asking = provider([server.address]);
    for (const [, lie] of lies.filter(([what]) => what.startsWith("the answer to another"))) {
      const controller = new AbortController();
      const asked = asking.ask(NUMBER, controller.signal);
      const question = await server.next();
      for (let i = 0; i < 20; i++) question.reply(lie(question));
      controller.abort(new Error("deadline"));
      await expect(asked).rejects.toThrow("deadline");
    }
  });
});
