// Sound through a whole Tandem between two telephones that we did not write: right tones at both ends.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip, type BaresipOrder } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const program = requirePeer("baresip", "baresip-core");

interface CallBody {
  readonly status: string;
  readonly legs: readonly { readonly media: { readonly secure: boolean; readonly codec: string } | null }[];
}

describe.skipIf(!program).each(["portable", "fast"])("telephones over the %s path", (path) => {
  let sipPort = 0;
  let bobPort = 0;
  const tandem = useTandem(async () => {
    [sipPort, bobPort] = [await ownPort(), await ownPort()];
    const trunks = [{ name: "phones", host: "127.0.0.1", port: bobPort, sources: ["127.0.0.1"], optionsSeconds: 0 }];
    const file = join(mkdtempSync(join(tmpdir(), "tandem-baresip-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2", "127.0.0.3"], trunks } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: "0",
        TANDEM_RTP_PATH: path,
        TANDEM_DRAIN_SECONDS: "1",
      },
    };
  });
  let account: TestAccount;
  let number: string;
  const phones: Baresip[] = [];

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    const forward = json("PUT", { callsForwardedTo: "+14155550199" });
    await answerOf(await account.call(`/v1/Phones/${number}/voice`, forward), 200);
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.stop();
  });

  const startPhone = async (order: Pick<BaresipOrder, "user" | "codec" | "hz" | "account"> & { port?: number }) => {
    // The port after its own is that of TLS.
    const [port, , controlPort] = [await ownPort(), await ownPort(), await ownPort()];
    const own = { address: "127.0.0.1", port, controlPort };
    const phone = await Baresip.start({ program: program ?? "", ...own, ...order });
    phones.push(phone);
    return phone;
  };
  const lastCall = async () => {
    const { items } = await answerOf<List<CallBody>>(await account.call("/v1/Voice/Calls?PageSize=1"), 200);
    return items[0];
  };

  test.each([
    ["in the clear", "PCMU", undefined],
    ["with SRTP", "PCMU", "mediaenc=srtp-mand"],
  ] as const)("hear each other's tone and keys %s, across PCMU and PCMA", async (_name, codec, mediaEncryption) => {
    const bob = await startPhone({ user: "+14155550199", codec: "PCMA", hz: 1000, port: bobPort });
    const alice = await startPhone({
      user: "alice",
      codec,
      hz: 440,
      ...(mediaEncryption && { account: mediaEncryption }),
    });
    alice.dial(`sip:${number}@127.0.0.2:${sipPort}`);
    // The tones come after our ringing tone and the silence of setting up.
    await expect.poll(() => bob.purity(440, 1000), SOON).toBeGreaterThan(0.9);
    await expect.poll(() => alice.purity(1000, 1000), SOON).toBeGreaterThan(0.5);
    for (const key of "5#") alice.press(key);
    await expect.poll(() => bob.heardKeys, SOON).toBe("5#");
    alice.hangUp();
    await expect.poll(async () => (await lastCall())?.status, SOON).toBe("Completed");
    expect((await lastCall())?.legs.map(({ media }) => [media?.codec, media?.secure])).toEqual([
      [codec, mediaEncryption !== undefined],
      ["PCMA", false],
    ]);
  });
});
