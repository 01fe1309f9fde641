import { expect, test } from "vitest";
import {
  arrived,
  at,
  campaign,
  config,
  facts,
  NOW,
  number,
  order,
  SECOND,
  standing,
} from "../../../test/fakes/migration-facts.ts";
import { stepTimes } from "./migration-times.ts";

const timeline = (
  ...entries: readonly (readonly [minutes: number, status: "PendingPortIn" | "PendingTcrCampaignAdd" | "Active"])[]
) => entries.map(([minutes, status]) => ({ at: at(minutes), status, previousStatus: null, reason: null }));

const steps = (given: Parameters<typeof stepTimes>[0]) =>
  stepTimes(given, NOW).map(({ step, seconds, endedOn, isLate }) => ({
    step,
    seconds,
    isOver: endedOn !== null,
    isLate,
  }));

test("nothing has begun, so nothing takes time", () => expect(steps(facts())).toEqual([]));

test("a port that lasts is counted so far, and late after two days", () => {
  const young = { ...order("Submitted"), createdOn: at(-60) };
  expect(steps(facts({ orders: [young] }))).toEqual([{ step: "PortIn", seconds: 3600, isOver: false, isLate: false }]);
  const old = { ...order("Submitted"), createdOn: at(-3 * 1440) };
  expect(steps(facts({ orders: [old] }))).toMatchObject([{ isOver: false, isLate: true }]);
});

test("a port that came to nothing took no time", () => {
  expect(steps(facts({ orders: [order("Failed")] }))).toEqual([]);
});

test("a migration that has ended shows how long each step took", () => {
  const numbers = [
    number("Active", { timeline: timeline([-2880, "PendingPortIn"], [-60, "PendingTcrCampaignAdd"], [-22, "Active"]) }),
    number("Active", {
      number: SECOND,
      timeline: timeline([-2880, "PendingPortIn"], [-50, "PendingTcrCampaignAdd"], [-20, "Active"]),
    }),
  ];
  expect(steps(arrived({ numbers }))).toEqual([
    { step: "PortIn", seconds: 2820 * 60, isOver: true, isLate: false },
    { step: "Acceptance", seconds: 600, isOver: true, isLate: true },
    // The campaign came at -30, while the numbers were waiting for it.
    { step: "Activation", seconds: 600, isOver: true, isLate: false },
    { step: "OutboundOutage", seconds: 2400, isOver: true, isLate: true },
  ]);
});

test("messages cannot go out from the port until the last number is Active", () => {
  const numbers = [
    number("Active", { timeline: timeline([-4, "PendingTcrCampaignAdd"], [-2, "Active"]) }),
    number("PendingTcrCampaignAdd", { number: SECOND, timeline: timeline([-3, "PendingTcrCampaignAdd"]) }),
  ];
  expect(steps(arrived({ numbers }))).toMatchObject([
    {},
    {},
    { step: "Activation", seconds: 240, isOver: false },
    { step: "OutboundOutage", seconds: 240, isOver: false, isLate: false },
  ]);
});

test("a campaign that was linked by hand has no time of activation, for nobody remembers when", () => {
  const numbers = [number("Active", { timeline: timeline([-4, "PendingTcrCampaignAdd"], [-2, "Active"]) })];
  expect(steps(arrived({ numbers, linkOutcome: "NoMatch" })).map(({ step }) => step)).not.toContain("Activation");
});

test("the registry's acceptance is counted while it lasts", () => {
  expect(steps(facts({ registry: standing("AwaitingUpstream") }))).toEqual([
    { step: "Acceptance", seconds: 2400, isOver: false, isLate: true },
  ]);
  expect(steps(facts({ registry: standing("Declined") }))).toEqual([]);
});

test("numbers whose events are forgotten have no times", () => {
  const forgotten = arrived({ orders: [], registry: null, campaign: campaign(), configs: [config("MC1", "CABC123")] });
  expect(steps(forgotten)).toEqual([]);
});
