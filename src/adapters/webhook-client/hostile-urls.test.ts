import type { LookupAddress } from "node:dns";
import { connect, type LookupFunction, Socket } from "node:net";
import { expect, test } from "vitest";
import { closedAfter } from "../../../test/fakes/closed-after.ts";
import { dnsRecord, dnsReply, startNameServer } from "../../../test/fakes/name-server.ts";
import { type Receiver, startHealthy, startRaw } from "../../../test/faults/webhook-receivers.ts";
import { newAddressGuard } from "../guard/address-guard.ts";
import { newNameResolver, type ResolveName } from "../guard/resolve-name.ts";
import { WebhookClient } from "./webhook-client.ts";

const PUBLIC = "93.184.216.34";

/** Names of a hostile zone. */
const ZONE: Readonly<Record<string, readonly string[]>> = {
  "loop.test": ["127.0.0.1"],
  "loop6.test": ["::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "nat64.test": ["64:ff9b::7f00:1"],
  "six-to-four.test": ["2002:7f00:1::"],
  "metadata.test": ["169.254.169.254"],
  "several.test": ["10.0.0.1", "192.168.0.1", "127.0.0.1", "fd00::1"],
  "zero.test": ["0.0.0.0"],
  "zero6.test": ["::"],
  "malformed.test": ["127.1"],
  "nothing.test": [],
  "xn--bcher-kva.test": ["127.0.0.1"],
};

const zone: ResolveName = async (hostname) => answers(...(ZONE[hostname.replace(/\.$/, "")] ?? []));

function answers(...addresses: readonly string[]): readonly LookupAddress[] {
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

/** P stands for the port of a server that listens on loopback. */
const HOSTILE_URLS: readonly string[] = [
  // IPv4 in every spelling.
  "http://127.0.0.1:P/",
  "http://127.1:P/",
  "http://127.0.1:P/",
  "http://2130706433:P/",
  "http://0x7f000001:P/",
  "http://0x7f.1:P/",
  "http://0x7F.0x0.0x0.0x1:P/",
  "http://0177.0.0.1:P/",
  "http://017700000001:P/",
  "http://0177.0x0.1:P/",
  "http://127.0.0.1.:P/",
  "http://127.000.000.001:P/",
  "http://127.255.255.254:P/",
  "http://0:P/",
  "http://0.0.0.0:P/",
  "http://0x0:P/",
  "http://%31%32%37.0.0.1:P/",
  "http://127%2e0%2e0%2e1:P/",
  "http://１２７.０.０.１:P/",
  "http://①②⑦.⓪.⓪.①:P/",
  "http://127。0。0。1:P/",
  "http://127．0．0．1:P/",
  "http://127｡0｡0｡1:P/",
  "http://127.0.0.1%00.example.com:P/",
  "http://256.256.256.256:P/",
  "http://127.0.0.1.5:P/",
  "http://10.0.0.1:P/",
  "http://172.16.0.1:P/",
  "http://192.168.1.1:P/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/latest/meta-data/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://168.63.129.16/",
  // IPv6 in every form.
  "http://[::1]:P/",
  "http://[0:0:0:0:0:0:0:1]:P/",
  "http://[0000:0000:0000:0000:0000:0000:0000:0001]:P/",
  "http://[::]:P/",
  "http://[::ffff:127.0.0.1]:P/",
  "http://[::ffff:7f00:1]:P/",
  "http://[::FFFF:7F00:0001]:P/",
  "http://[::ffff:0:127.0.0.1]:P/",
  "http://[::127.0.0.1]:P/",
  "http://[::7f00:1]:P/",
  "http://[64:ff9b::7f00:1]:P/",
  "http://[64:ff9b::127.0.0.1]:P/",
  "http://[64:ff9b:1::7f00:1]:P/",
  "http://[2002:7f00:1::]:P/",
  "http://[2001:0:7f00:1::]:P/",
  "http://[2001:0:808:808::80ff:fffe]:P/",
  "http://[2a00::5efe:7f00:1]:P/",
  "http://[fe80::1]:P/",
  "http://[fe80::1%25lo]:P/",
  "http://[::1%25lo]:P/",
  "http://[fec0::1]:P/",
  "http://[fd00:ec2::254]/",
  "http://[ff02::1]:P/",
  "http://[::1:P/",
  // Names.
  "http://localhost:P/",
  "http://LOCALHOST:P/",
  "http://localhost.:P/",
  "http://loc%61lhost:P/",
  "http://ｌｏｃａｌｈｏｓｔ:P/",
  "http://any.localhost:P/",
  "http://any.localhost.:P/",
  "http://loop.test:P/",
  "http://loop.test.:P/",
  "http://LOOP.TEST:P/",
  "http://loop6.test:P/",
  "http://mapped.test:P/",
  "http://nat64.test:P/",
  "http://six-to-four.test:P/",
  "http://metadata.test:P/",
  "http://several.test:P/",
  "http://zero.test:P/",
  "http://zero6.test:P/",
  "http://malformed.test:P/",
  "http://nothing.test:P/",
  "http://bücher.test:P/",
  "https://loop.test:P/",
  // Credentials, fragments, separators.
  "http://user:secret@127.0.0.1:P/",
  "http://user@loop.test:P/",
  "http://@loop.test:P/",
  "http://example.com@127.0.0.1:P/",
  "http://127.0.0.1:P#@example.com/",
  "http://127.0.0.1:P?@example.com/",
  "http://example.com#@127.0.0.1:P\\",
  "http:\\\\127.0.0.1:P\\",
  "http:/127.0.0.1:P/",
  "http:127.0.0.1:P/",
  "http:////127.0.0.1:P/",
  "http://127.0.0.1:P\t/",
  "ht\ntp://127.0.0.1:P/",
  " http://127.0.0.1:P/",
  "http://exa mple.com:P/",
  "//127.0.0.1:P/",
  "127.0.0.1:P",
  "",
  // Schemes and ports.
  "ftp://127.0.0.1:P/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:P/_x",
  "ws://127.0.0.1:P/",
  "unix:/var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "http://127.0.0.1:0/",
  "http://loop.test:0/",
  "http://127.0.0.1:65536/",
  "http://127.0.0.1:-1/",
  `http://${"a".repeat(64)}.test:P/`,
  `http://loop.test:P/${"a".repeat(2048)}`,
  `http://127.0.0.1:P/${"ü".repeat(1000)}`,
];

test(`none of ${HOSTILE_URLS.length} hostile URLs makes a connection`, async () => {
  const bait = closedAfter(await startRaw(() => {}));
  let dialled = 0;
  const client = closedAfter(
    new WebhookClient({
      guard: newAddressGuard({ allowedNetworks: [], resolve: zone }),
      dial: ({ host, port, lookup }) => {
        dialled += 1;
        return connect({ host, port, lookup });
      },
    }),
  );
  const outcomes = await Promise.all(
    HOSTILE_URLS.map(async (url) => {
      const answer = await client.post({ url: url.replace(":P", `:${bait.port}`), headers: {}, body: "x" });
      return [url, answer.kind === "failed" ? answer.reason : "answered"];
    }),
  );
  expect(outcomes.filter(([, reason]) => !["bad-url", "refused-address", "dns"].includes(String(reason)))).toEqual([]);
  expect(outcomes.filter(([, reason]) => reason === "dns")).toEqual([["http://nothing.test:P/", "dns"]]);
  expect({ dialled, accepted: bait.accepted }).toEqual({ dialled: 0, accepted: 0 });
});

test("the same spellings do reach loopback once it is allowed", async () => {
  const bait = closedAfter(await startHealthy());
  const guard = newAddressGuard({ allowedNetworks: ["loopback"], resolve: zone });
  const client = closedAfter(new WebhookClient({ guard }));
  const hosts = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "１２７。０。０。１", "[::ffff:7f00:1]"];
  const names = [
    "localhost",
    "any.localhost.",
    "loop.test",
    "LOOP.TEST.",
    "mapped.test",
    "several.test",
    "bücher.test",
  ];
  for (const host of [...hosts, ...names]) {
    const answer = await client.post({ url: `http://${host}:${bait.port}/`, headers: {}, body: "x" });
    expect([host, answer.kind === "answered" && answer.status]).toEqual([host, 200]);
  }
});

test("the refusal names the setting that would allow it, and not where an internal name leads", async () => {
  const guard = newAddressGuard({ allowedNetworks: [], resolve: zone });
  const literal = guard.checkUrl("http://[::ffff:7f00:1]/");
  expect(literal).toEqual({
    ok: false,
    refusal: {
      reason: "refused-address",
      detail:
        "The address ::ffff:7f00:1 is not public (loopback). The operator can allow its network in TANDEM_ALLOWED_NETWORKS.",
    },
  });
  const client = closedAfter(new WebhookClient({ guard }));
  const answer = await client.post({ url: "http://several.test/", headers: {}, body: "" });
  expect(answer).toMatchObject({
    reason: "refused-address",
    detail:
      "The name several.test has no public address (private). The operator can allow its network in TANDEM_ALLOWED_NETWORKS.",
  });
});

/** Records connection attempts and makes no connection. */
function newStillWorld(): {
  readonly dialled: string[];
  dial(options: { host: string; lookup: LookupFunction }): Socket;
} {
  const dialled: string[] = [];
  return {
    dialled,
    dial: ({ host, lookup }) => {
      const socket = new Socket();
      lookup(host, { all: true }, (_, found) => {
        for (const { address } of found as LookupAddress[]) dialled.push(address);
        socket.destroy(new Error("no way out of this test"));
      });
      return socket;
    },
  };
}

test("a name that first answers public and then loopback is judged again for every connection", async () => {
  const world = newStillWorld();
  let asked = 0;
  const resolve: ResolveName = async () => answers(asked++ === 0 ? PUBLIC : "127.0.0.1");
  const client = closedAfter(
    new WebhookClient({ guard: newAddressGuard({ allowedNetworks: [], resolve }), dial: world.dial }),
  );
  const post = () => client.post({ url: "http://rebind.test/", headers: {}, body: "x" });
  expect(await post()).toMatchObject({ kind: "failed", reason: "connect" });
  expect(await post()).toMatchObject({ kind: "failed", reason: "refused-address" });
  // One lookup for one connection: there is no second answer to switch to.
  expect({ asked, dialled: world.dialled }).toEqual({ asked: 2, dialled: [PUBLIC] });
});

test("a real name server that turns to loopback gets no connection either", async () => {
  const bait: Receiver = closedAfter(await startRaw(() => {}));
  const turns = new Map<string, number>();
  const server = closedAfter(
    await startNameServer((question) => {
      const isA = hasType(question.message, 1);
      const turn = turns.get(question.name) ?? 0;
      if (isA) turns.set(question.name, turn + 1);
      const address = turn === 0 ? PUBLIC : "127.0.0.1";
      question.reply(dnsReply(question, isA ? [dnsRecord(1, Buffer.from(address.split(".").map(Number)))] : []));
    }),
  );
  const world = newStillWorld();
  const resolve = newNameResolver({ servers: [server.address], hostsFile: "/nonexistent" });
  const client = closedAfter(
    new WebhookClient({ guard: newAddressGuard({ allowedNetworks: [], resolve }), dial: world.dial }),
  );
  const url = `http://rebind.test:${bait.port}/`;
  const reasons = [];
  for (let turn = 0; turn < 3; turn++) {
    const answer = await client.post({ url, headers: {}, body: "x" });
    reasons.push(answer.kind === "failed" && answer.reason);
  }
  expect(reasons).toEqual(["connect", "refused-address", "refused-address"]);
  expect({ dialled: world.dialled, accepted: bait.accepted }).toEqual({ dialled: [PUBLIC], accepted: 0 });
});

function hasType(message: Buffer, type: number): boolean {
  return message.readUInt16BE(message.indexOf(0, 12) + 1) === type;
}

test.each(["http", "https"])(
  "a connection that ends at a forbidden peer is closed before a byte of %s is written",
  async (scheme) => {
    const bait = closedAfter(await startRaw(() => {}));
    const resolve: ResolveName = async () => answers(PUBLIC);
    const client = closedAfter(
      new WebhookClient({
        guard: newAddressGuard({ allowedNetworks: [], resolve }),
        // The network, not the name, leads to the wrong address.
        dial: () => connect({ host: "127.0.0.1", port: bait.port }),
      }),
    );
    const answer = await client.post({ url: `${scheme}://astray.test/`, headers: {}, body: "x" });
    expect(answer).toMatchObject({ kind: "failed", reason: "refused-address" });
    await bait.whenAccepted(1);
    await bait.whenEmpty();
    expect(bait.bytesRead).toBe(0);
  },
);
