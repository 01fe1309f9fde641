import { expect, test } from "vitest";
import { outgoing } from "../../../test/fakes/outgoing.ts";
import { silent } from "../../../test/fakes/silent-log.ts";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { OwnedRecord } from "../give-back.ts";
import type { OpenLink } from "./ports.ts";
import type { CarrierReceipt } from "./receipt.ts";
import { makePlacer } from "./routing.ts";
import type { OwnSending } from "./sender.ts";
import { SendingTerms } from "./sending-terms.ts";
import { SwitchedLink } from "./switched-link.ts";

const RECEIPT: CarrierReceipt = {
  carrier: "acme",
  carrierId: "7",
  state: "delivered",
  errorCode: null,
  receivedOn: new Date(0),
};

const MESSAGE = outgoing({ sid: "OM1", expiresOn: new Date("2027-01-01") });

/** Terms over two links, east and west; `happened` lists what they did, in order. */
function newTerms() {
  const happened: string[] = [];
  const stopped = new Set<string>();
  const faults = { beginTerm: false, west: false };
  const owned: OwnedRecord[] = [];
  const reports: string[][] = [];
  const given: { sending: OwnSending | undefined } = { sending: undefined };
  const clock = new VirtualClock(new Date("2026-01-01T00:00:00Z"));
  const open = (name: string) => async (): Promise<OpenLink> => {
    if (name === "west" && faults.west) throw new Error("port taken");
    happened.push(`${name} opened`);
    let isClosed = false;
    return {
      ...{ name, carrier: "acme", kind: "sms", state: { kind: "bound", reason: "", since: new Date(0) } },
      capacity: () => 5,
      submit: ({ sid }, done) => {
        happened.push(`${sid} submitted`);
        done({ kind: "accepted", carrierIds: ["1"] });
      },
      ask: async (carrierId) => (carrierId === "7" ? RECEIPT : undefined),
      async close() {
        if (!isClosed) happened.push(`${name} closed`);
        isClosed = true;
      },
    };
  };
  const terms = new SendingTerms({
    weightOf: () => 1,
    queue: {
      async beginTerm(term) {
        if (faults.beginTerm) throw new Error("database away");
        happened.push(`term ${term} begun`);
        return 1;
      },
      ready: async () => ({ routes: makePlacer([]).routes, isMore: false }),
      load: async ({ route }) => ({
        keys: route === makePlacer([]).placeOf(MESSAGE).route ? [MESSAGE] : [],
        perAccount: 10,
        last: undefined,
      }),
      read: async () => [MESSAGE],
      begin: async ({ messages }) => new Set(messages.map(({ sid }) => sid)),
      settle: async () => undefined,
      giveBack: async () => undefined,
      owned: async () => owned,
      giveBackStrays: async (strays) => void happened.push(`${strays.map(({ id }) => id)} given back`),
    },
    makeLinks: () =>
      ["east", "west"].map(
        (name) => new SwitchedLink({ name, carrier: "acme", kind: "sms", open: open(name), clock, window: 10 }),
      ),
    routes: [],
    handTo: (sending) => {
      given.sending = sending;
      happened.push(sending ? "takes messages" : "takes no more messages");
    },
    stoppedLinks: { list: async () => [...stopped].map((name) => ({ name, stoppedOn: new Date(0) })) },
    reportedLinks: {
      report: async (term, links) =>
        void reports.push([String(term), ...links.map(({ name, state }) => `${name} ${state}`)]),
    },
    receipts: {
      take: async ({ carrierId }) => void happened.push(`receipt of ${carrierId}`),
      claimUnconfirmed: async () => [
        { link: "east", carrierId: "7", from: "+14155550150" },
        { link: "east", carrierId: "8", from: "+14155550150" },
        { link: "removed", carrierId: "9", from: "+14155550150" },
      ],
    },
    submitted: () => undefined,
    clock,
    log: silent,
  });
  return { terms, happened, stopped, faults, owned, reports, given, clock };
}

test("a term settles what was left, takes messages, then opens the links that the operator has not stopped", async () => {
  const { terms, happened, stopped, given } = newTerms();
  stopped.add("west");
  expect(terms.standing).toBe("elsewhere");
  await terms.begin(3);
  expect(happened).toEqual(["term 3 begun", "takes messages", "east opened"]);
  expect([terms.standing, given.sending?.term()]).toEqual(["here", 3]);
  expect(terms.links.map(({ name, state }) => `${name} ${state}`)).toEqual(["east bound", "west stopped"]);
});

test("a term ends by giving back what was never submitted before it closes its links", async () => {
  const { terms, happened, owned, clock } = newTerms();
  await terms.begin(1);
  owned.push({ id: "9", version: "" });
  happened.length = 0;
  const ended = terms.end();
  await terms.look();
  await clock.until(ended);
  expect(happened).toEqual(["takes no more messages", "9 given back", "east closed", "west closed"]);
  expect([terms.standing, terms.links]).toEqual(["elsewhere", []]);
});

test("without a term nothing is looked for, switched, queried or given back", async () => {
  const { terms, happened, reports, owned } = newTerms();
  owned.push({ id: "9", version: "" });
  await terms.look();
  await terms.switchLinks();
  await terms.queryMissingReceipts();
  await terms.giveBack();
  terms.pump();
  expect([happened, reports]).toEqual([[], []]);
});

test("a process that cannot take over has failed until it can", async () => {
  const { terms, faults } = newTerms();
  faults.beginTerm = true;
  await expect(terms.begin(1)).rejects.toThrow("database away");
  expect(terms.standing).toBe("failed");
  faults.beginTerm = false;
  await terms.begin(2);
  expect(terms.standing).toBe("here");
});

test("a link that cannot be opened does not stop the others, and is tried again", async () => {
  const { terms, happened, faults, reports } = newTerms();
  faults.west = true;
  await terms.begin(1);
  expect(terms.links.map(({ state }) => state)).toEqual(["bound", "down"]);
  faults.west = false;
  await terms.switchLinks();
  expect(happened).toContain("west opened");
  expect(reports).toEqual([["1", "east bound", "west bound"]]);
});

test("links are switched as the operator orders, and their states reported", async () => {
  const { terms, happened, stopped, reports } = newTerms();
  await terms.begin(4);
  stopped.add("east");
  await terms.switchLinks();
  stopped.clear();
  await terms.switchLinks();
  expect(happened.slice(-2)).toEqual(["east closed", "east opened"]);
  expect(reports).toEqual([
    ["4", "east stopped", "west bound"],
    ["4", "east bound", "west bound"],
  ]);
});

test("carriers are queried for missing receipts over the link that sent the message", async () => {
  const { terms, happened } = newTerms();
  await terms.begin(1);
  await terms.queryMissingReceipts();
  expect(happened.at(-1)).toBe("receipt of 7");
});

test("messages that are due are sent while the term lasts", async () => {
  const { terms, happened, clock } = newTerms();
  await terms.begin(1);
  await terms.look();
  await clock.advance(0);
  expect(happened.at(-1)).toBe("OM1 submitted");
  await clock.until(terms.end());
});
