// What a simulated telephone does with a call, chosen by its number: the lines 555-0100 to 555-0199 of every North
// American area code, which are never assigned. A test may set the behaviour of any number.

export interface PhoneConduct {
  /** The final response; 200 answers, 0 sends no response at all. */
  readonly status: number;
  /** How long it rings before the final response; undefined: it refuses without ringing. */
  readonly ringMs?: number;
  /** It rings forever. */
  readonly isRingingOn?: true;
  /** Speaks before it answers (183). */
  readonly hasEarlyMedia?: true;
  /** Hangs up this long after it has answered. */
  readonly talkMs?: number;
  /** Presses this key a second after it has answered: as an event (RFC 4733), by INFO, or as a tone. */
  readonly key?: { readonly digit: string; readonly by: "event" | "info" | "tone" };
  /** Presses these keys after it has answered, half a second apart; `w` waits. */
  readonly digits?: string;
  /** Speaks a sentence instead of a tone. */
  readonly hasWords?: true;
}

const RING_MS = 1_000;

/** In the order of their lines: the first is 0100. docs/sandbox.md shows the same table. */
const CONDUCT = {
  answers: { status: 200, ringMs: RING_MS },
  busy: { status: 486 },
  noAnswer: { status: 200, isRingingOn: true, ringMs: 0 },
  rejects: { status: 603, ringMs: RING_MS },
  unavailable: { status: 480 },
  unknown: { status: 404 },
  silent: { status: 0 },
  hangsUp: { status: 200, ringMs: RING_MS, talkMs: 3_000 },
  earlyMedia: { status: 200, ringMs: 2 * RING_MS, hasEarlyMedia: true },
  broken: { status: 503 },
  pressesKey: { status: 200, ringMs: RING_MS, key: { digit: "1", by: "event" } },
  answersAtOnce: { status: 200 },
  pressesKeyByInfo: { status: 200, ringMs: RING_MS, key: { digit: "1", by: "info" } },
  pressesKeyAsTone: { status: 200, ringMs: RING_MS, key: { digit: "1", by: "tone" } },
  speaks: { status: 200, ringMs: RING_MS, hasWords: true },
} as const satisfies Record<string, PhoneConduct>;

export type PhoneBehaviour = keyof typeof CONDUCT;

export const PHONE_BEHAVIOURS = Object.keys(CONDUCT) as readonly PhoneBehaviour[];

export function conductOf(behaviour: PhoneBehaviour): PhoneConduct {
  return CONDUCT[behaviour];
}

const MAGIC_LINE = /^(?:\+1|1?)\d{3}55501(\d\d)$/;

/** The behaviour that a magic number stands for; any other telephone answers. */
export function phoneBehaviourOf(number: string): PhoneBehaviour {
  const line = MAGIC_LINE.exec(number)?.[1];
  return (line && PHONE_BEHAVIOURS[Number(line)]) || "answers";
}
