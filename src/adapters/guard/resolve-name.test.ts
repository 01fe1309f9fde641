import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type DnsQuestion, dnsRecord, dnsReply, startNameServer } from "../../../test/fakes/name-server.ts";
import { newNameResolver } from "./resolve-name.ts";

const { signal } = new AbortController();
const A = 1;
const AAAA = 28;

function typeOf({ message }: DnsQuestion): number {
  return message.readUInt16BE(message.indexOf(0, 12) + 1);
}

async function startResolver(onQuestion?: (question: DnsQuestion) => void) {
  const server = await startNameServer(onQuestion);
  onTestFinished(() => server.close());
  return { server, resolve: newNameResolver({ servers: [server.address], hostsFile: "/nonexistent" }) };
}

test("a name is found in the hosts file, dots and capitals aside, and again when the file has changed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tandem-hosts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const hostsFile = join(folder, "hosts");
  const resolve = newNameResolver({ hostsFile, servers: ["127.0.0.1:9"] });
  await writeFile(
    hostsFile,
    "# a comment\n127.0.0.1 host.docker.internal Other.Test # more\n::1 other.test\nnonsense x\n",
  );
  expect(await resolve("host.docker.internal", signal)).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await resolve("OTHER.test.", signal)).toEqual([
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ]);
  await writeFile(hostsFile, "10.0.0.1 host.docker.internal\n");
  expect(await resolve("host.docker.internal", signal)).toEqual([{ address: "10.0.0.1", family: 4 }]);
});

test("both families are asked for, and one is enough", async () => {
  const v6 = Buffer.from("26064700000000000000000000001111", "hex");
  const { resolve } = await startResolver((question) => {
    const isA = typeOf(question) === A;
    if (isA && question.name === "six.test") return question.reply(dnsReply(question, []));
    question.reply(dnsReply(question, [isA ? dnsRecord(A, Buffer.from([1, 2, 3, 4])) : dnsRecord(AAAA, v6)]));
  });
  expect(await resolve("both.test", signal)).toEqual([
    { address: "1.2.3.4", family: 4 },
    { address: "2606:4700::1111", family: 6 },
  ]);
  expect(await resolve("six.test", signal)).toEqual([{ address: "2606:4700::1111", family: 6 }]);
});

test("a name that does not exist and a server that fails are told apart", async () => {
  const { resolve } = await startResolver((question) =>
    question.reply(dnsReply(question, [], question.name === "no.test" ? 3 : 5)),
  );
  await expect(resolve("no.test", signal)).rejects.toMatchObject({
    reason: "dns",
    message: "The name no.test has no address.",
  });
  await expect(resolve("refused.test", signal)).rejects.toMatchObject({
    reason: "dns",
    message: "The name servers gave no answer for refused.test (EREFUSED).",
  });
});

test("a server that never answers is given up when the signal says so", async () => {
  const { server, resolve } = await startResolver();
  const stop = new AbortController();
  const asked = resolve("silent.test", stop.signal);
  await server.next();
  stop.abort();
  await expect(asked).rejects.toMatchObject({ reason: "dns" });
  await expect(resolve("late.test", stop.signal)).rejects.toMatchObject({ reason: "dns" });
});
