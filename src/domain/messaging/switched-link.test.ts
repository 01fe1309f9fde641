import { expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { OpenLink, SubmitOutcome } from "./ports.ts";
import { SwitchedLink } from "./switched-link.ts";

const BOUND = { kind: "bound", reason: "", since: new Date(0) } as const;

/** Records when its link is opened and closed; `held.closing` delays the closing. */
function switched(fault?: () => Error | undefined) {
  const happened: string[] = [];
  const held: { closing: Promise<void> } = { closing: Promise.resolve() };
  const open = async (): Promise<OpenLink> => {
    const error = fault?.();
    if (error) throw error;
    happened.push("opened");
    return {
      ...{ name: "east", carrier: "acme", kind: "sms", state: BOUND },
      capacity: () => 7,
      submit: (_message, done) => done({ kind: "accepted", carrierIds: ["1"] }),
      async close() {
        await held.closing;
        happened.push("closed");
      },
    };
  };
  const clock = new VirtualClock(new Date("2026-01-01T00:00:00Z"));
  const link = new SwitchedLink({ name: "east", carrier: "acme", kind: "sms", open, clock, window: 10 });
  return { link, happened, held, clock };
}

const submit = (link: SwitchedLink) =>
  new Promise<SubmitOutcome>((resolve) => link.submit(outgoing({ sid: "OM1" }), resolve));

test("a link is stopped and started, and takes nothing between", async () => {
  const { link, happened, clock } = switched();
  expect(link.state.kind).toBe("stopped");
  await link.setStopped(false);
  await link.setStopped(false);
  expect({ state: link.state, capacity: link.capacity() }).toEqual({ state: BOUND, capacity: 7 });
  expect(await submit(link)).toMatchObject({ kind: "accepted" });
  await clock.advance(60_000);
  await link.setStopped(true);
  await clock.advance(60_000);
  await link.setStopped(true);
  expect(link.state).toEqual({
    ...{ kind: "stopped", reason: "stopped by the operator" },
    since: new Date("2026-01-01T00:01:00Z"),
  });
  expect(link.capacity()).toBe(0);
  expect(await submit(link)).toMatchObject({ kind: "notSent" });
  expect(await link.ask("1", "+14155550150")).toBeUndefined();
  await link.setStopped(false);
  expect(happened).toEqual(["opened", "closed", "opened"]);
});

test("it is opened again only when it has closed, whatever the operator says meanwhile", async () => {
  const { link, happened, held } = switched();
  await link.setStopped(false);
  let release = () => {};
  held.closing = new Promise((resolve) => {
    release = resolve;
  });
  const changes = [link.setStopped(true), link.setStopped(false)];
  release();
  await Promise.all(changes);
  expect(happened).toEqual(["opened", "closed", "opened"]);
  await link.close();
  await link.setStopped(false);
  expect(happened).toEqual(["opened", "closed", "opened", "closed", "closed"]);
});

test("a link that cannot be opened is down and says why, until it can", async () => {
  let error: Error | undefined = new Error("port taken");
  const { link } = switched(() => error);
  await expect(link.setStopped(false)).rejects.toThrow("port taken");
  expect(link.state).toMatchObject({ kind: "down", reason: "port taken" });
  error = undefined;
  await link.setStopped(false);
  expect(link.state.kind).toBe("bound");
});

test("it reports its window, what is in flight, how many were answered and how fast", async () => {
  const answers: ((outcome: SubmitOutcome) => void)[] = [];
  const clock = new VirtualClock(new Date("2026-01-01T00:00:00Z"));
  const open = async (): Promise<OpenLink> => ({
    ...{ name: "east", carrier: "acme", kind: "sms", state: BOUND },
    capacity: () => 7,
    submit: (_message, done) => void answers.push(done),
    close: async () => undefined,
  });
  const link = new SwitchedLink({ name: "east", carrier: "acme", kind: "sms", open, clock, window: 10 });
  expect(link.health).toMatchObject({ state: "stopped", room: 0, window: 10, inFlight: 0, perSecond: 0, p95Ms: null });
  await link.setStopped(false);
  const outcomes = Array.from({ length: 20 }, () => submit(link));
  expect(link.health).toMatchObject({ state: "bound", room: 7, inFlight: 20, perSecond: 0, p95Ms: null });
  await clock.advance(100);
  for (const answer of answers) answer({ kind: "accepted", carrierIds: ["1"] });
  await Promise.all(outcomes);
  await clock.advance(5_000);
  const { p95Ms, ...health } = link.health;
  expect(health).toMatchObject({ inFlight: 0, perSecond: 2 });
  expect(p95Ms).toBeGreaterThan(90);
  expect(p95Ms).toBeLessThan(110);
});
