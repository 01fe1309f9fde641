// A telephone behind a NAT, through a whole Tandem: it registers, calls and is called, with the right tones at both
// ends, while a third party sends audio to every port of ours.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { type Certificate, certificateFor } from "../fakes/certificate.ts";
import { RtpPhone } from "../fakes/rtp-phone.ts";
import { ownHost, ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip } from "./baresip.ts";
import { mayMakeNamespaces, Nat, type NatKind } from "./nat.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");
const mayRun = baresip !== undefined && mayMakeNamespaces();

const SERVER = "127.0.0.2";
const OUTSIDE = "127.0.0.77";
/** Any number: it leaves by the only trunk that takes calls. */
const ANY_NUMBER = "+14155550199";
const [ALICE_HZ, BOB_HZ, MALLORY_HZ] = [440, 1000, 2500];
const MEDIA_PORTS = 24;

describe.skipIf(!mayRun).each<NatKind>(["endpoint-independent", "symmetric"])("behind a NAT that is %s", (kind) => {
  let [sipPort, mediaPort, bobPort] = [0, 0, 0];
  let certificate: Certificate;
  let account: TestAccount;
  let number: string;
  let nat: Nat;
  let alice: Baresip;
  let bob: Baresip;
  let mallory: Mallory;

  const tandem = useTandem(async () => {
    [sipPort, mediaPort, bobPort] = [await ownPort(), await ownPort(MEDIA_PORTS), await ownPort(2)];
    certificate = await certificateFor("127.0.0.1");
    const registrar = { username: "alice", password: "env:ALICE_PASSWORD", requestUri: "contact" };
    const trunks = [
      { name: "office", registrar, media: "latch", optionsSeconds: 1 },
      // It only calls us; it is called by its URI.
      { name: "bob", host: "192.0.2.1", sources: [ownHost], outbound: false, optionsSeconds: 0 },
    ];
    const file = join(mkdtempSync(join(tmpdir(), "tandem-nat-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: [SERVER], digests: ["MD5"], trunks } }));
    return {
      environment: {
        TANDEM_CONFIG: file,
        TANDEM_SIP_PORT: String(sipPort),
        TANDEM_RTP_PORTS: `${mediaPort}-${mediaPort + MEDIA_PORTS - 1}`,
        TANDEM_DRAIN_SECONDS: "1",
        ALICE_PASSWORD: "secret",
      },
    };
  });

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    const media = Array.from({ length: MEDIA_PORTS }, (_, at) => mediaPort + at);
    nat = await Nat.open({ kind, address: OUTSIDE, server: SERVER, ports: [sipPort, ...media] });
    const phone = { program: baresip ?? "", codec: "PCMU", certificate } as const;
    const registrar = { place: `${SERVER}:${sipPort}`, password: "secret" };
    const inside = { users: ["alice"], address: Nat.inside, port: 5060, registrar, nat };
    alice = await Baresip.start({ ...phone, ...inside, hz: ALICE_HZ });
    bob = await Baresip.start({ ...phone, users: ["bob"], address: ownHost, port: bobPort, hz: BOB_HZ });
    mallory = await Mallory.start(media);
  });
  afterAll(async () => {
    mallory?.stop();
    await alice?.stop();
    await bob?.stop();
    await nat?.close();
  });

  const trunkOf = async (name: string) => {
    interface Trunk {
      readonly name: string;
      readonly registration: unknown;
    }
    const { items } = await answerOf<List<Trunk>>(await tandem.operator("/operator/v1/Trunks"), 200);
    return items.find((one) => one.name === name) as Trunk;
  };
  const lastCall = async () => {
    const { items } = await answerOf<List<{ readonly status: string; readonly endReason: string }>>(
      await account.call("/v1/Voice/Calls?PageSize=1"),
      200,
    );
    return items[0];
  };
  const forwardTo = async (callsForwardedTo: string) =>
    answerOf(await account.call(`/v1/Phones/${number}/voice`, json("PUT", { callsForwardedTo })), 200);

  /** The caller hangs up; both must hear of it, so that its BYE and ours have found their way. */
  async function talk(caller: Baresip, callee: Baresip): Promise<void> {
    for (const phone of [caller, callee]) phone.forget();
    caller.dial(`sip:${number}@${SERVER}:${sipPort}`);
    const isHeard = (phone: Baresip, hz: number) =>
      expect
        .poll(() => phone.purity(hz), { ...SOON, message: `${alice.report()}\n---\n${bob.report()}` })
        .toBeGreaterThan(0.9);
    await isHeard(bob, ALICE_HZ);
    await isHeard(alice, BOB_HZ);
    // Mallory has sent to every port meanwhile, and it is not heard.
    await mallory.roundsOf(100);
    await isHeard(bob, ALICE_HZ);
    await isHeard(alice, BOB_HZ);
    for (const phone of [alice, bob]) expect(phone.purity(MALLORY_HZ)).toBeLessThan(0.01);
    caller.hangUp();
    for (const phone of [caller, callee]) await expect.poll(() => phone.isFree, SOON).toBe(true);
    await expect.poll(lastCall, SOON).toMatchObject({ status: "Completed", endReason: "Completed" });
  }

  test("it registers, calls, hears and is heard", async () => {
    await expect
      .poll(async () => (await trunkOf("office")).registration, { ...SOON, message: alice.report() })
      .toMatchObject({ isUp: true, reason: expect.stringContaining(`from ${OUTSIDE}:`) });
    await forwardTo(`sip:bob@${ownHost}:${bobPort}`);
    await talk(alice, bob);
  });

  test("it is called, and hears and is heard", async () => {
    await forwardTo(ANY_NUMBER);
    await talk(bob, alice);
  });
});

/** A third party that sends a tone to every port of ours, all the time. */
class Mallory {
  readonly #phone: RtpPhone;
  readonly #ports: readonly number[];
  #rounds = 0;
  #isStopped = false;

  static async start(ports: readonly number[]): Promise<Mallory> {
    const mallory = new Mallory(await RtpPhone.open("127.0.0.99"), ports);
    void mallory.#send();
    return mallory;
  }

  private constructor(phone: RtpPhone, ports: readonly number[]) {
    this.#phone = phone;
    this.#ports = ports;
  }

  /** Resolves when it has sent this often to every port. */
  async roundsOf(count: number): Promise<void> {
    const wanted = this.#rounds + count;
    await expect.poll(() => this.#rounds, SOON).toBeGreaterThanOrEqual(wanted);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #send(): Promise<void> {
    while (!this.#isStopped) {
      for (const port of this.#ports) await this.#phone.sendTone(port, "PCMU", MALLORY_HZ, 1, SERVER);
      this.#rounds++;
      // As often as a telephone sends.
      await delay(20);
    }
    this.#phone.close();
  }
}
