import { expect, test } from "vitest";
import { judgeSender, judgeWaiting } from "./judge-sending.ts";
import type { Outgoing, SenderState } from "./ports.ts";

const NOW = new Date("2026-11-16T12:00:00Z");
const RECIPIENT = "+14154740200";

const sender: SenderState = {
  status: "Active",
  messagingConfigSid: "MC1",
  tcrCampaignId: "C1",
  campaignStatus: "Active",
  defaultExpirySeconds: 60,
  sendingTimes: null,
  sendsSms: true,
  sendsMms: true,
};

const message: Outgoing = {
  sid: "OM1",
  accountSid: "AC1",
  from: "+14155550150",
  recipients: [RECIPIENT],
  text: "hello",
  mediaUrls: [],
  segmentCount: 1,
  priority: 2,
  carrier: null,
  isReply: false,
  deferrals: 0,
  expiresOn: NOW,
  checkedOn: NOW,
};

const STATUSES = [
  undefined,
  "PendingPortIn",
  "PendingMessagingConfigAdd",
  "PendingTcrCampaignAdd",
  "PendingTcrCampaignChange",
  "Active",
] as const;

const CASES = STATUSES.flatMap((status) =>
  ([null, "Active", "Suspended", "Expired"] as const).flatMap((campaignStatus) =>
    [[], [RECIPIENT]].flatMap((optedOut) =>
      (["Active", "Suspended"] as const).flatMap((accountStatus) =>
        [true, false].map((sendsSms) => ({
          account: { status: accountStatus },
          facts: { sender: status && { ...sender, status, campaignStatus, sendsSms }, optedOut },
        })),
      ),
    ),
  ),
);

test("what is refused when it is fresh is refused when it has waited, with the first of the codes", () => {
  for (const { account, facts } of CASES) {
    const [fault] = judgeSender({ recipients: [RECIPIENT], mediaUrls: [], holdUntilActive: false }, account, facts);
    const { refused, early } = judgeWaiting([{ message, account, facts }], NOW);
    // For a number that can no longer send, the reason makes no difference.
    const code = fault && (fault.code < 6 ? 4 : fault.code);
    expect(refused.map(({ refusal }) => refusal.code)).toEqual(code === undefined ? [] : [code]);
    expect(early).toEqual([]);
  }
});

test("a text needs SMS, media and groups need MMS, and neither while the number is being ported in", () => {
  const [group, media] = [[RECIPIENT, "+14154740201"], ["https://media.example/a.png"]];
  const codesOf = (state: Partial<SenderState>, order: { recipients?: string[]; mediaUrls?: string[] } = {}) =>
    judgeSender(
      { recipients: [RECIPIENT], mediaUrls: [], holdUntilActive: true, ...order },
      { status: "Active" },
      { sender: { ...sender, ...state }, optedOut: [] },
    ).map(({ code }) => code);
  expect(codesOf({ sendsSms: false })).toEqual([6]);
  expect(codesOf({ sendsMms: false })).toEqual([]);
  for (const order of [{ recipients: group }, { mediaUrls: media }]) {
    expect(codesOf({ sendsMms: false }, order)).toEqual([6]);
    expect(codesOf({ sendsSms: false }, order)).toEqual([]);
  }
  expect(codesOf({ sendsSms: false, status: "PendingTcrCampaignAdd" })).toEqual([6]);
  expect(codesOf({ sendsSms: false, sendsMms: false, status: "PendingPortIn" })).toEqual([]);
});

test("the answer to a keyword goes to who has opted out, and at night", () => {
  const night = { timeZone: "UTC", days: ["Mon"], from: "01:00", to: "02:00" } as const;
  const facts = { sender: { ...sender, sendingTimes: night }, optedOut: [RECIPIENT] };
  const reply = { ...message, isReply: true };
  const account = { status: "Active" } as const;
  expect(judgeWaiting([{ message: reply, account, facts }], NOW)).toEqual({ refused: [], early: [] });
  expect(judgeWaiting([{ message, account, facts: { ...facts, optedOut: [] } }], NOW)).toEqual({
    refused: [],
    early: [{ message, until: new Date("2026-11-23T01:00:00Z") }],
  });
});
