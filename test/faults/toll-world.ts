// Calls that try to reach a carrier past the rules, in every form and by every path. Run as a program, in a network
// namespace of its own, it does so with public addresses and prints which calls reached the carrier.

import { setTimeout as later } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { newAddressGuard } from "../../src/adapters/guard/address-guard.ts";
import type { SipNames } from "../../src/adapters/sip/names.ts";
import { SipSignalling } from "../../src/adapters/sip/signalling.ts";
import { systemClock } from "../../src/base/clock.ts";
import { makeIds } from "../../src/base/ids.ts";
import { ok } from "../../src/base/result.ts";
import type { Account } from "../../src/domain/accounts/index.ts";
import {
  CallDesk,
  type CalledNumber,
  type CallStore,
  type MediaLeg,
  type MediaTerms,
  type OrderedCall,
  orderCall,
  readScript,
} from "../../src/domain/voice/index.ts";
import { dialRules, sipSchema } from "../../src/server/config/sip.ts";
import { silent } from "../fakes/silent-log.ts";
import { CountingPeer, type SipPlace } from "./toll-carrier.ts";

/**
 * The addresses of the carrier's host, of a second gateway of the carrier, and of a telephone that is not the
 * carrier's.
 */
export interface TollPlaces {
  readonly ours: readonly string[];
  readonly host: SipPlace;
  readonly gate: SipPlace;
  /** More addresses where the carrier would accept a call. */
  readonly others: readonly SipPlace[];
  readonly phone: SipPlace;
  readonly sources: readonly string[];
  /** Further spellings of the gate: what follows the @ of a URI. */
  readonly spellings: readonly string[];
}

export const WAYS = ["order", "forwarding", "script", "redirection"] as const;
export type Way = (typeof WAYS)[number];

export interface Attempted {
  readonly user: string;
  readonly place: string;
  readonly way: Way;
  /** Request-URIs that reached the carrier. */
  readonly reached: readonly string[];
}

export interface TollReport {
  readonly forbidden: readonly Attempted[];
  readonly legal: readonly Attempted[];
  /** Extensions of a telephone system that is not the carrier. */
  readonly extensions: readonly string[];
}

const OURS = "+14155550100";
export const LEGAL = "+14155550123";
const FORBIDDEN = [
  "911",
  "%39%31%31",
  "+911;phone-context=%2B1",
  "+19005550100",
  "1-900-555-0100",
  "+881612345678",
  "%2B881612345678;ext=1",
  "+4930123456",
  "0114930123456",
  "alice",
];
const TERMS: MediaTerms = { family: 4, secure: false, codecs: ["PCMU"], isTrusted: true };
const SDP = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n";
const ACCOUNT = {
  sid: "AC1",
  status: "Active",
  features: ["voice"],
  allowedCountries: ["US"],
  limitChanges: {},
  country: "US",
} as unknown as Account;

export async function tryToll(places: TollPlaces): Promise<TollReport> {
  const world = await TollWorld.open(places);
  try {
    // The first lookup of this name resolves to the telephone, all later ones to the carrier.
    await world.attempt("bob", "turning.test;transport=udp", "order");
    const forbidden: Attempted[] = [];
    const legal: Attempted[] = [];
    for (const place of world.forms) {
      for (const way of WAYS) {
        for (const user of FORBIDDEN) forbidden.push(await world.attempt(user, place, way));
        legal.push(await world.attempt(LEGAL, place, way));
      }
    }
    return { forbidden, legal, extensions: await world.callExtension() };
  } finally {
    await world.close();
  }
}

class TollWorld {
  readonly forms: readonly string[];
  readonly #places: TollPlaces;
  readonly #carrier: CountingPeer;
  readonly #phone: CountingPeer;
  readonly #desk: CallDesk;
  readonly #waiting: OrderedCall[] = [];
  readonly #sip: SipSignalling;
  readonly #rules: ReturnType<typeof dialRules>;
  #destination = "";
  #isScripted = false;
  #onEnd: () => void = () => {};
  #legs = 0;

  static async open(places: TollPlaces): Promise<TollWorld> {
    const carrier = await CountingPeer.open([places.host, places.gate, ...places.others]);
    const phone = await CountingPeer.open([places.phone]);
    const trunk = {
      ...{ name: "carrier", host: "trunk.test", port: places.host.port, sources: places.sources },
      optionsSeconds: 0,
    };
    const settings = sipSchema.parse({ sourceAddresses: places.ours, trunks: [trunk] });
    const sip = await SipSignalling.open({
      sources: settings.sourceAddresses,
      port: 0,
      trunks: settings.trunks,
      environment: () => undefined,
      guard: newAddressGuard({ allowedNetworks: ["loopback"] }),
      clock: systemClock,
      log: silent,
      newLegSid: () => "LGnone",
      onInput: (input) => world.#desk.takeSignal(input),
      names: namesOf(places),
    });
    const world: TollWorld = new TollWorld(places, carrier, phone, sip, dialRules(settings));
    return world;
  }

  private constructor(
    places: TollPlaces,
    carrier: CountingPeer,
    phone: CountingPeer,
    sip: SipSignalling,
    rules: ReturnType<typeof dialRules>,
  ) {
    this.#rules = rules;
    this.#places = places;
    this.#carrier = carrier;
    this.#phone = phone;
    this.#sip = sip;
    const { address, port } = places.gate;
    const host = address.includes(":") ? `[${address}]` : address;
    this.forms = [
      `${host}:${port}`,
      `${host}:${port};transport=tcp`,
      `gate.test:${port}`,
      "srv.test",
      "naptr.test",
      `both.test:${port}`,
      "turning.test",
      `trunk.test:${port}`,
      ...places.spellings,
    ];
    this.#desk = new CallDesk({
      signalling: sip,
      media: {
        open: async () => ok(MUTE),
        record: () => ({ stop: async () => 0 }),
        mix: () => ({ set: () => {}, remove: () => {}, play: () => {}, record: () => ({ stop: async () => 0 }) }),
      },
      conferences: { enter: () => ({ leave: () => {} }) },
      speech: { async *say() {} },
      sounds: { async *play() {} },
      streams: { open: () => ({ press: () => {}, stop: () => {} }) },
      ledger: {
        save: async (take) => {
          take();
          return true;
        },
        note: async () => {},
        claim: async () =>
          this.#waiting.splice(0).map((call) => ({
            ...call,
            ...{ allowedCountries: ACCOUNT.allowedCountries, isHungUp: false, switchesAsked: 0 },
          })),
        askedToHangUp: async () => [],
        takeSwitches: async () => [],
        takePartyHangUps: async () => [],
        takeRedirections: async () => [],
        redirected: async () => undefined,
        takeOver: async () => undefined,
        owned: async () => [],
        giveBackStrays: async () => [],
      },
      directory: {
        findCalled: async () => this.#called(),
        countriesOf: async () => ["US"],
        callsElsewhere: async () => 0,
        mayShow: async () => true,
      },
      takeParty: async () => ok(100),
      ask: async () => ({
        kind: "answered",
        body: Buffer.from(`<Response><Dial><Sip>${this.#destination}</Sip></Dial></Response>`),
        source: {
          document: { url: "https://example.com/script", method: "POST" },
          fallback: undefined,
          shape: "A",
          read: readScript,
        },
        deliverySid: "WD1",
      }),
      readerOf: () => readScript,
      askDocument: async () => ({ kind: "unanswered", reason: "nobody" }),
      readyCallbacks: async () => undefined,
      checkUrl: (url) => ({ ok: true, value: url }),
      rules,
      ids: makeIds(systemClock),
      clock: systemClock,
      log: silent,
      report: () => this.#onEnd(),
    });
  }

  async attempt(user: string, place: string, way: Way): Promise<Attempted> {
    const before = this.#carrier.invited.length;
    await this.#call(`sip:${user}@${place}`, way);
    return { user, place, way, reached: this.#carrier.invited.slice(before) };
  }

  /** The same number is an extension at a telephone that is no trunk. */
  async callExtension(): Promise<readonly string[]> {
    const { address, port } = this.#places.phone;
    const before = this.#phone.invited.length;
    for (const user of ["1001", "112"]) await this.#call(`sip:${user}@${address}:${port}`, "order");
    return this.#phone.invited.slice(before);
  }

  async close(): Promise<void> {
    await this.#sip.close();
    this.#carrier.close();
    this.#phone.close();
  }

  async #call(uri: string, way: Way): Promise<void> {
    if (way === "order") await this.#order(uri);
    else if (way === "redirection") {
      const { address, port } = this.#places.phone;
      this.#phone.answer = () => ({ status: 302, lines: `Contact: <${uri}>\r\n` });
      await this.#order(`sip:bob@${address}:${port}`);
      this.#phone.answer = () => ({ status: 603 });
    } else await this.#receive(uri, way === "script");
  }

  async #order(from: string): Promise<void> {
    const deps = {
      calls: this.#store(),
      rules: this.#rules,
      mayConnect: () => true,
      ids: makeIds(systemClock),
      requestId: null,
      now: new Date(),
    };
    const ordered = await orderCall(deps, ACCOUNT, { from, to: "+14155550199" });
    if (ordered.ok) await this.#ended(() => this.#desk.dialWaiting());
  }

  /** An inbound call of the carrier, of which only the second leg goes over the wire. */
  async #receive(uri: string, isScripted: boolean): Promise<void> {
    this.#destination = uri;
    this.#isScripted = isScripted;
    const legSid = `LG${++this.#legs}`;
    const leg = { legSid, trunk: "carrier", from: "+14155550142", isPrivate: false, called: [OURS], sdp: SDP };
    const at = new Date();
    await this.#ended(async () => {
      this.#desk.takeSignal({ kind: "incoming", at, ...leg, terms: TERMS, maxForwards: 70, peer: "carrier" });
      // Repeated, because the leg's confirmation is ignored before the call is answered.
      while (this.#desk.activeCount > 0 && !this.#isOver) {
        await later(1);
        this.#desk.takeSignal({ kind: "confirmed", at, legSid });
      }
    });
  }

  #isOver = false;

  async #ended(begin: () => Promise<void>): Promise<void> {
    this.#isOver = false;
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = () => {
        this.#isOver = true;
        resolve();
      };
    });
    await begin();
    await ended;
  }

  #called(): CalledNumber {
    return {
      ...{ number: OURS, accountSid: "AC1", messagingConfigSid: null, hasVoice: true, recordInboundCalls: false },
      callsForwardedTo: this.#isScripted ? null : this.#destination,
      account: ACCOUNT,
      callsElsewhere: 0,
      continued: null,
    };
  }

  #store(): CallStore {
    return {
      insert: async (call: OrderedCall) => void this.#waiting.push(call),
      countActive: async () => 0,
      numbersOf: async () => [OURS],
      findCallerId: async () => ({ number: OURS, messagingConfigSid: null }),
    } as Partial<CallStore> as CallStore;
  }
}

/** External names that resolve to the carrier, and the carrier's own. */
function namesOf({ host, gate, phone }: TollPlaces): SipNames {
  const addressOf = ({ address }: SipPlace) => ({ address, family: address.includes(":") ? 6 : 4 });
  let turns = 0;
  const addresses: Readonly<Record<string, () => readonly { address: string; family: number }[]>> = {
    "trunk.test": () => [addressOf(host)],
    "gate.test": () => [addressOf(gate)],
    "server.test": () => [addressOf(gate)],
    "both.test": () => [addressOf(phone), addressOf(gate)],
    "phone.test": () => [addressOf(phone)],
  };
  const served = (name: string, { port }: SipPlace) => [{ name, port, priority: 1, weight: 1 }];
  const servers: Readonly<Record<string, () => ReturnType<typeof served>>> = {
    "_sip._udp.srv.test": () => served("server.test", gate),
    "found.test": () => served("server.test", gate),
    "_sip._udp.turning.test": () => (turns++ === 0 ? served("phone.test", phone) : served("server.test", gate)),
  };
  return {
    naptr: async (name) =>
      name === "naptr.test"
        ? [{ flags: "s", service: "SIP+D2T", regexp: "", replacement: "found.test", order: 1, preference: 1 }]
        : [],
    srv: async (name) => servers[name]?.() ?? [],
    addresses: async (name) => addresses[name]?.() ?? [],
  };
}

const MUTE: MediaLeg = {
  offer: () => SDP,
  answer: () => ok(SDP),
  accept: () => ok(undefined),
  joinWith: () => {},
  listenTo: () => {},
  play: () => {},
  stopPlaying: () => {},
  stream: () => ({ play: () => {}, mark: () => {}, clear: () => {}, stop: () => {} }),
  tap: () => ({ play: () => {}, mark: () => {}, clear: () => {}, stop: () => {} }),
  listenForKeys: () => {},
  listenForSilence: () => {},
  sendDigit: () => true,
  measure: async () => undefined,
  close: async () => undefined,
};

const PUBLIC: TollPlaces = {
  ours: ["93.184.215.10", "2606:2800:220::10"],
  host: { address: "93.184.216.34", port: 5060 },
  gate: { address: "93.184.216.35", port: 5060 },
  others: [
    { address: "93.184.216.35", port: 5080 },
    { address: "2606:2800:220:1::35", port: 5060 },
  ],
  phone: { address: "93.184.217.7", port: 5060 },
  sources: ["93.184.216.0/24", "2606:2800:220:1::/64"],
  spellings: [
    "93.184.216.35",
    "93.184.216.34:5080",
    "93.184.216.35:5080;transport=udp",
    "[2606:2800:220:1::35]",
    "[2606:2800:0220:0001:0:0:0:0035]",
    "[::ffff:93.184.216.35]",
    "[64:ff9b::5db8:d823]",
    "trunk.test",
  ],
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.stdout.write(JSON.stringify(await tryToll(PUBLIC)));
}
