// Long messages as carriers deliver them, part by part: out of order, twice, interleaved with others, over connections
// that break, and incomplete.

import { beforeEach, describe, expect, test } from "vitest";
import type { Database, Queryable } from "../../src/adapters/store/engine/database.ts";
import type { InboundPart, PartReceiver } from "../../src/domain/messaging/index.ts";
import { newPartReceiver, type Place, sentPart } from "../fakes/part-receiver.ts";
import { useTandem } from "../use-tandem.ts";
import type { TestAccount } from "./account.ts";
import { type InboundBody, newMessenger, newSender } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";

const LATER_MS = 11 * 60_000;

const tandem = useTandem();
let account: TestAccount;
let to: string;
let receiver: PartReceiver;
let people = 0;

beforeEach(async () => {
  account = await newMessenger(tandem);
  to = (await newSender(tandem, tandem.database, account)).number;
  receiver = newPartReceiver(tandem.database);
});

const receive = (place: Place, part: ReturnType<typeof sentPart>) => receiver.receive({ ...place, ...part });
/** A number that no other test uses. */
const somebody = () => `+1212558${String(++people).padStart(4, "0")}`;
const place = (session = "1") => ({ carrier: "test", link: "test-1", session });
const part = (from: string, text: string, partOf?: InboundPart["partOf"]) =>
  sentPart({ from, to, octets: Buffer.from(text, "latin1"), dataCoding: 3, ...(partOf && { partOf }) });
const numbered = (reference: number, total: number, index: number) => ({ reference, total, index });
const textsOf = async (from: string) => {
  const path = `/v1/InboundMessages?From=${from.slice(1)}&OrderByDirection=Ascending`;
  const { items } = await answerOf<List<InboundBody>>(await account.call(path), 200);
  return items.map(({ text, segmentCount }) => `${segmentCount}: ${text}`);
};

describe("parts", () => {
  test("are one message in whatever order they come, when the last has come", async () => {
    const from = somebody();
    const texts = ["One, ", "two, ", "three, ", "four."];
    for (const index of [3, 1, 4])
      await receive(place(), part(from, texts[index - 1] as string, numbered(7, 4, index)));
    expect(await textsOf(from)).toEqual([]);
    await receive(place(), part(from, texts[1] as string, numbered(7, 4, 2)));
    expect(await textsOf(from)).toEqual(["4: One, two, three, four."]);
  });

  test("of different messages, senders and lengths do not mix", async () => {
    const [one, two] = [somebody(), somebody()];
    await receive(place(), part(one, "A1 ", numbered(1, 2, 1)));
    await receive(place(), part(one, "B1 ", numbered(2, 2, 1)));
    await receive(place(), part(two, "C1 ", numbered(1, 2, 1)));
    await receive(place(), part(one, "D1 ", numbered(1, 3, 1)));
    await receive(place(), part(one, "B2", numbered(2, 2, 2)));
    await receive(place(), part(two, "C2", numbered(1, 2, 2)));
    await receive(place(), part(one, "A2", numbered(1, 2, 2)));
    expect(await textsOf(one)).toEqual(["2: B1 B2", "2: A1 A2"]);
    expect(await textsOf(two)).toEqual(["2: C1 C2"]);
  });

  test("that come twice, also over another connection and after the whole was made, count once", async () => {
    const from = somebody();
    const [first, second] = [part(from, "Hello ", numbered(9, 2, 1)), part(from, "there", numbered(9, 2, 2))];
    for (const [session, one] of [
      ["1", first],
      ["1", first],
      ["2", first],
      ["2", second],
      ["2", second],
      ["3", first],
      ["3", second],
    ] as const) {
      await receive(place(session), one);
    }
    expect(await textsOf(from)).toEqual(["2: Hello there"]);
    await receiver.giveUpWaiting(new Date(Date.now() + LATER_MS));
    expect(await textsOf(from)).toEqual(["2: Hello there"]);
  });

  test("two last ones at the same moment make one message", async () => {
    for (let round = 0; round < 10; round++) {
      const from = somebody();
      await Promise.all(
        [1, 2, 3].map((index) => receive(place(), part(from, String(index), numbered(round, 3, index)))),
      );
      expect(await textsOf(from)).toEqual(["3: 123"]);
    }
  });

  test("that never come are not waited for longer than ten minutes, and what there is is received", async () => {
    const [middle, end] = [somebody(), somebody()];
    await receive(place(), part(middle, "Begin ", numbered(1, 4, 1)));
    await receive(place(), part(middle, " end", numbered(1, 4, 4)));
    await receive(place(), part(end, "Begin", numbered(1, 2, 1)));
    await receiver.giveUpWaiting(new Date(Date.now() + 60_000));
    expect(await textsOf(middle)).toEqual([]);
    await receiver.giveUpWaiting(new Date(Date.now() + LATER_MS));
    expect(await textsOf(middle)).toEqual(["4: Begin […] end"]);
    expect(await textsOf(end)).toEqual(["2: Begin[…]"]);
    // No second delivery.
    await receiver.giveUpWaiting(new Date(Date.now() + LATER_MS));
    expect(await textsOf(end)).toEqual(["2: Begin[…]"]);
  });

  test("survive a restart between them", async () => {
    const from = somebody();
    await receive(place("before"), part(from, "Before ", numbered(3, 2, 1)));
    receiver = newPartReceiver(tandem.database);
    await receive(place("after"), part(from, "and after", numbered(3, 2, 2)));
    expect(await textsOf(from)).toEqual(["2: Before and after"]);
  });

  test("a character torn between two is whole again", async () => {
    const from = somebody();
    const octets = Buffer.from("Grüße 😀!", "utf16le").swap16();
    const torn = (octets: Buffer, index: number) =>
      sentPart({ from, to, octets, dataCoding: 8, partOf: numbered(5, 2, index) });
    // Splits the emoji's surrogate pair.
    await receive(place(), torn(octets.subarray(0, 14), 1));
    await receive(place(), torn(octets.subarray(14), 2));
    expect(await textsOf(from)).toEqual(["2: Grüße 😀!"]);
  });
});

describe("a database that is lost in the middle", () => {
  /** Commits, and reports a failure, the first `times` times. */
  const forgetful = (times: number) => {
    let left = times;
    const transaction = async <Value>(work: (unit: Queryable) => Promise<Value>): Promise<Value> => {
      const value = await tandem.database.transaction(work);
      if (left-- > 0) throw new Error("the connection broke after the commit");
      return value;
    };
    const query = <Row extends object>(text: string, values?: readonly unknown[]) =>
      tandem.database.query<Row>(text, values);
    return newPartReceiver({ transaction, query } as Database);
  };

  test("and has stored the message all the same does not store it again", async () => {
    const from = somebody();
    receiver = forgetful(2);
    await expect(receive(place(), part(from, "Hello"))).rejects.toThrow();
    await expect(receive(place(), part(from, "Hello"))).rejects.toThrow();
    await receive(place(), part(from, "Hello"));
    expect(await textsOf(from)).toEqual(["1: Hello"]);
    // After this the same text is a new message again.
    await receiver.forgetAnswered(new Date(Date.now() + 11_000));
    await receive(place(), part(from, "Hello"));
    expect(await textsOf(from)).toEqual(["1: Hello", "1: Hello"]);
  });

  test("nor a part of a long one", async () => {
    const from = somebody();
    receiver = forgetful(1);
    await expect(receive(place(), part(from, "Hello ", numbered(4, 2, 1)))).rejects.toThrow();
    await receive(place(), part(from, "Hello ", numbered(4, 2, 1)));
    await receive(place(), part(from, "there", numbered(4, 2, 2)));
    expect(await textsOf(from)).toEqual(["2: Hello there"]);
  });
});

describe("the same words", () => {
  test("over the same connection are another message", async () => {
    const from = somebody();
    for (let count = 0; count < 3; count++) await receive(place(), part(from, "Yes"));
    expect(await textsOf(from)).toEqual(["1: Yes", "1: Yes", "1: Yes"]);
  });

  test("over the next connection are the carrier's repeat, until it has surely got our answer", async () => {
    const from = somebody();
    await receive(place("1"), part(from, "Yes"));
    await receive(place("2"), part(from, "Yes"));
    expect(await textsOf(from)).toEqual(["1: Yes"]);
    const other = somebody();
    await receive(place("2"), part(other, "No"));
    await receiver.forgetAnswered(new Date(Date.now() + 11_000));
    await receive(place("3"), part(other, "No"));
    expect(await textsOf(other)).toEqual(["1: No", "1: No"]);
  });
});
