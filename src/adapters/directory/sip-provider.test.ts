import { describe, expect, test } from "vitest";
import type { RedirectAnswer, RedirectQuestion } from "../../domain/lookup/index.ts";
import { SipProvider, type SipProviderOptions } from "./sip-provider.ts";

const NUMBER = "+12155550123";
const PORTED = [`sip:${NUMBER};rn=+12155550199;npdi@192.0.2.1`];
const never = () => new AbortController().signal;

/** A provider whose servers give these answers, one after another. */
function world(answers: readonly (RedirectAnswer | Error)[], more: Partial<SipProviderOptions> = {}) {
  const asked: RedirectQuestion[] = [];
  const options: SipProviderOptions = {
    name: "lrn",
    deadlineMs: 500,
    servers: ["192.0.2.1", "lrn.example:5070"],
    transport: "udp",
    user: "{number}",
    notFoundStatuses: [404, 603],
    carriers: { "4711": "Example Mobile" },
    ...more,
  };
  const provider = new SipProvider(options, {
    async ask(question) {
      const answer = answers[asked.push(question) - 1] ?? new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { asked, ask: (signal = never()) => provider.ask(NUMBER, signal) };
}

describe("the SIP provider", () => {
  test("reads the routing number from a redirection", async () => {
    const { asked, ask } = world([{ status: 302, contacts: PORTED }]);
    expect(await ask()).toEqual({ kind: "found", routingNumber: "+12155550199" });
    expect(asked).toEqual([{ server: "192.0.2.1", transport: "udp", user: NUMBER, waitMs: 250 }]);
  });

  test("writes the number as the server wants it", async () => {
    const { asked, ask } = world([{ status: 302, contacts: PORTED }], { user: "9{national}", servers: ["192.0.2.1"] });
    await ask();
    expect(asked).toMatchObject([{ user: "92155550123", waitMs: 500 }]);
  });

  test.each([404, 603])("finds nothing on %i", async (status) => {
    const { asked, ask } = world([{ status, contacts: [] }]);
    expect(await ask()).toEqual({ kind: "notFound" });
    expect(asked).toHaveLength(1);
  });

  test.each([401, 403, 408, 487, 600])("fails on %i, which the next server would say, too", async (status) => {
    const { asked, ask } = world([{ status, contacts: PORTED }]);
    await expect(ask()).rejects.toThrow(`lrn gave no usable answer: 192.0.2.1 answered ${status}`);
    expect(asked).toHaveLength(1);
  });

  test.each<[string, RedirectAnswer | Error]>([
    ["is broken", { status: 500, contacts: [] }],
    ["is overloaded", { status: 503, contacts: [] }],
    ["is silent", new Error("no answer within 250 ms")],
    ["speaks of another number", { status: 302, contacts: ["sip:+12155550124;npdi@192.0.2.1"] }],
    ["redirects to nowhere", { status: 302, contacts: [] }],
  ])("asks the second server when the first %s", async (_what, first) => {
    const { asked, ask } = world([first, { status: 302, contacts: PORTED }]);
    expect(await ask()).toMatchObject({ routingNumber: "+12155550199" });
    expect(asked.map(({ server }) => server)).toEqual(["192.0.2.1", "lrn.example:5070"]);
  });

  test("fails when the last server does, and asks nobody after the deadline", async () => {
    const { ask } = world([new Error("no answer"), { status: 500, contacts: [] }]);
    await expect(ask()).rejects.toThrow("lrn.example:5070 answered 500");
    const late = world([]);
    await expect(late.ask(AbortSignal.abort())).rejects.toThrow();
    expect(late.asked).toEqual([]);
  });
});
