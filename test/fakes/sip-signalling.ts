// Our signalling on loopback addresses, with a stopped clock and a list of all its events.

import { parseUri, type SipUri } from "../../rules/sip-uri.ts";
import { newAddressGuard } from "../../src/adapters/guard/address-guard.ts";
import { SipSignalling, type SipSignallingOptions } from "../../src/adapters/sip/signalling.ts";
import { type TrunkSettings, trunkSettings } from "../../src/adapters/sip/trunk-settings.ts";
import { ok, refused } from "../../src/base/result.ts";
import type { DialOrder, DialTarget, SignallingInput, SipMessageRecord } from "../../src/domain/voice/ports.ts";
import { silent } from "./silent-log.ts";
import { SDP } from "./sip-legs.ts";
import { VirtualClock } from "./virtual-clock.ts";

type Kind = SignallingInput["kind"];
type InputOf<One extends Kind> = Extract<SignallingInput, { readonly kind: One }>;

export class TestSignalling {
  readonly clock: VirtualClock;
  readonly sip: SipSignalling;
  readonly records: SipMessageRecord[];
  readonly #told: SignallingInput[];
  readonly #waiting: (() => void)[];
  readonly #legs = new Set<string>();

  static async open(
    trunks: readonly Record<string, unknown>[],
    { react, ...options }: Partial<SipSignallingOptions> & { readonly react?: (input: SignallingInput) => void } = {},
  ): Promise<TestSignalling> {
    const clock = new VirtualClock();
    const told: SignallingInput[] = [];
    const waiting: (() => void)[] = [];
    const records: SipMessageRecord[] = [];
    let legs = 0;
    const sip = await SipSignalling.open({
      sources: [{ address: "127.0.0.2" }, { address: "127.0.0.3" }],
      port: 0,
      trunks: trunks.map(trunkOf),
      environment: () => undefined,
      guard: newAddressGuard({ allowedNetworks: ["127.0.0.0/24"] }),
      clock,
      log: silent,
      newLegSid: () => `in${++legs}`,
      onInput: (input) => {
        told.push(input);
        react?.(input);
        for (const wake of waiting.splice(0)) wake();
      },
      onMessage: (record) => void records.push(record),
      ...options,
    });
    return new TestSignalling(sip, clock, told, waiting, records);
  }

  private constructor(
    sip: SipSignalling,
    clock: VirtualClock,
    told: SignallingInput[],
    waiting: (() => void)[],
    records: SipMessageRecord[],
  ) {
    this.sip = sip;
    this.clock = clock;
    this.#told = told;
    this.#waiting = waiting;
    this.records = records;
  }

  get port(): number {
    return this.sip.ports.find((port) => port > 0) ?? 0;
  }

  /**
   * The next input of the kind; any earlier input, except those of kind `dialog`, fails the test. With `fields`, inputs
   * that do not match them are skipped.
   */
  async next<One extends Kind>(kind: One, fields?: Partial<InputOf<One>>): Promise<InputOf<One>> {
    for (;;) {
      const input = this.#told.shift();
      if (!input) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (input.kind === kind && hasFields(input, fields ?? {})) return input as InputOf<One>;
      else if (input.kind !== "dialog" && !fields) throw new Error(`${JSON.stringify(input)} came before ${kind}`);
    }
  }

  /** Drops pending inputs, but remembers their legs. */
  forget(): void {
    for (const { legSid } of this.#told.splice(0)) this.#legs.add(legSid);
  }

  hangUpAll(): void {
    this.forget();
    for (const legSid of this.#legs) this.sip.hangUp(legSid);
  }

  /** `mayDial` is called for the resolved target, and for a target that a redirection names. */
  dial(
    target: string,
    { mayDial = () => true, ...changes }: Partial<DialOrder> & { mayDial?: (destination: string) => boolean } = {},
  ): void {
    this.#legs.add(changes.legSid ?? "out");
    this.sip.dial({
      callSid: "call",
      legSid: "out",
      target: targetOf(target),
      trunk: undefined,
      callerId: "+14155550100",
      isPrivate: false,
      maxForwards: 69,
      offer: () => SDP,
      dialsNumber: async () => {},
      judge: async (destination) =>
        mayDial(destination)
          ? ok({ target: targetOf(destination), trunk: undefined })
          : refused("It may not be called."),
      ...changes,
    });
  }
}

function targetOf(text: string): DialTarget {
  return text.startsWith("sip:") ? { kind: "sip", uri: parseUri(text) as SipUri } : { kind: "number", number: text };
}

function hasFields(input: object, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => (input as Record<string, unknown>)[name] === value);
}

export function trunkOf(settings: Record<string, unknown>): TrunkSettings {
  return trunkSettings.parse({ name: "carrier", host: "127.0.0.1", optionsSeconds: 0, ...settings });
}
