// People's telephones in calls with telephones of another simulated network.

import { afterEach, beforeEach, expect, test } from "vitest";
import { piecesOfTone } from "../../../test/fakes/rtp-phone.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { ok, refused } from "../../base/result.ts";
import { Phones } from "./phones.ts";
import { Softphone, type SoftphoneState } from "./softphone.ts";

const UNTIL = { timeout: 120_000, interval: 10 };
const [ANN, BOB] = ["+12125550199", "+13035550199"] as const;

let near: Phones;
let far: Phones;
const options = { host: "127.0.0.1", port: 0, log: silent, say: async () => new Int16Array(0) };

beforeEach(async () => {
  near = await Phones.listen(options);
  far = await Phones.listen(options);
});
afterEach(async () => {
  await near.close();
  await far.close();
});

interface Person {
  readonly phone: Softphone;
  readonly states: SoftphoneState[];
  readonly heard: number[];
  readonly reasons: string[];
  /** Called with every packet that it receives. */
  onHeard: () => void;
}

/** A person who uses the telephone of `number` and whose calls go to the other network. */
function attach(network: Phones, number: string, mayReach: (payer: string) => boolean = () => true): Person {
  const other = network === near ? far : near;
  const states: SoftphoneState[] = [];
  const heard: number[] = [];
  const reasons: string[] = [];
  const person = { states, heard, reasons, onHeard: () => undefined } as Omit<Person, "phone">;
  const phone = new Softphone({
    async dial(to, user) {
      if (to === "") return refused("This is no number.");
      const target = { address: "127.0.0.1", port: other.port };
      const call = network.dial({ from: number, to, target }, user);
      return call ? ok(call) : refused("full");
    },
    show: (state) => states.push(state),
    refuse: (reason) => reasons.push(reason),
    play: (samples) => {
      heard.push(...samples);
      person.onHeard();
    },
  });
  network.attach(number, { mayReach: async (payer) => mayReach(payer), ring: (call, from) => phone.ring(call, from) });
  return Object.assign(person, { phone });
}

const stateOf = ({ states }: Person) => states.at(-1);
const becomes = (person: Person, state: Partial<SoftphoneState>) =>
  expect.poll(() => stateOf(person), UNTIL).toMatchObject(state);

/** Sends 20 ms of a tone for every 20 ms received. */
function speak(person: Person, hertz: number): void {
  let place = 0;
  person.onHeard = () => {
    const sample = () => 8_000 * Math.sin((2 * Math.PI * hertz * place++) / 8_000);
    person.phone.say(Int16Array.from({ length: 160 }, sample));
  };
}

async function connected(): Promise<readonly [Person, Person]> {
  const [ann, bob] = [attach(near, ANN), attach(far, BOB)];
  ann.phone.obey({ do: "call", to: BOB });
  expect(stateOf(ann)).toMatchObject({ state: "Calling", number: BOB });
  await becomes(bob, { state: "Ringing", number: ANN });
  bob.phone.obey({ do: "answer" });
  await becomes(ann, { state: "Talking" });
  await becomes(bob, { state: "Talking" });
  return [ann, bob];
}

test("two people call, speak and hear, and the one who hangs up is reported from the other", async () => {
  const [ann, bob] = await connected();
  speak(ann, 700);
  await expect.poll(() => piecesOfTone(bob.heard, 700), UNTIL).toBeGreaterThan(50);
  bob.phone.obey({ do: "hangUp" });
  expect(stateOf(bob)).toMatchObject({ state: "Idle", ended: "ByPhone" });
  await becomes(ann, { state: "Idle", ended: "ByOther" });
});

test("a call that is rejected was refused", async () => {
  const [ann, bob] = [attach(near, ANN), attach(far, BOB)];
  ann.phone.obey({ do: "call", to: BOB });
  await becomes(bob, { state: "Ringing" });
  bob.phone.obey({ do: "reject" });
  await becomes(ann, { state: "Idle", ended: "Refused", status: 603 });
});

test("a caller who gives up stops the ringing", async () => {
  const [ann, bob] = [attach(near, ANN), attach(far, BOB)];
  ann.phone.obey({ do: "call", to: BOB });
  await becomes(bob, { state: "Ringing" });
  ann.phone.obey({ do: "hangUp" });
  await becomes(bob, { state: "Idle", ended: "ByOther" });
  bob.phone.obey({ do: "answer" });
  expect(stateOf(bob)).toMatchObject({ state: "Idle" });
});

test("who is in a call is busy", async () => {
  const [, bob] = await connected();
  const carl = attach(near, "+14155550199");
  carl.phone.obey({ do: "call", to: BOB });
  await becomes(carl, { state: "Idle", ended: "Refused", status: 486 });
  expect(stateOf(bob)).toMatchObject({ state: "Talking", number: ANN });
});

test("calls that are charged to another number reach the simulated telephone, which sounds its tone", async () => {
  const bob = attach(far, BOB, (payer) => payer !== ANN);
  const ann = attach(near, ANN);
  ann.phone.obey({ do: "call", to: BOB });
  await becomes(ann, { state: "Talking" });
  await expect.poll(() => piecesOfTone(ann.heard, 620), UNTIL).toBeGreaterThan(20);
  expect(bob.states).toHaveLength(1);
});

test("a telephone that is put back while the call is on its way does not ring", async () => {
  let putBack: () => void = () => undefined;
  const ann = attach(near, ANN);
  const mayReach = async () => {
    putBack();
    return true;
  };
  const ring = () => expect.unreachable("it rings");
  putBack = far.attach(BOB, { mayReach, ring });
  ann.phone.obey({ do: "call", to: BOB });
  // The simulated telephone of the number answers.
  await becomes(ann, { state: "Talking" });
});

test("a telephone that is put back ends its call, and a number that is none is refused", async () => {
  const [ann, bob] = await connected();
  ann.phone.close();
  await becomes(bob, { state: "Idle", ended: "ByOther" });
  ann.phone.obey({ do: "call", to: "" });
  await becomes(ann, { state: "Idle", ended: "Refused", status: null });
  expect(ann.reasons).toEqual(["This is no number."]);
});
