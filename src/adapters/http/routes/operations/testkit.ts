// Controls the simulated world with the account's own credentials. Mounted only with a sandbox.

import { z } from "zod";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { assignCampaign } from "../../../../domain/campaigns/index.ts";
import { type FieldErrors, invalid, problem } from "../../../../domain/problems.ts";
import { accountOperation, TEST_KIT, tagged } from "../../core/operation.ts";
import { anyText, PLAIN_TEXT, text } from "../../core/schemas.ts";
import { numberFaults, ownNumberFaults, readE164, readOwnNumber } from "../../reading/read-number.ts";
import { campaignId } from "../campaigns/campaigns.ts";

/** What the test kit can do in the simulated world. */
export interface SimulatedWorld {
  /** A subscriber sends a message. Resolves when the carrier has handed it over. */
  sendMessage(message: {
    readonly from: string;
    /** Who receives it. */
    readonly to: readonly string[];
    /** The other recipients of a group message, who are only listed in it. */
    readonly others: readonly string[];
    readonly text: string;
    readonly mediaUrls: readonly string[];
  }): Promise<Result<undefined, string>>;
  /** The carrier sends a receipt for a message it took. */
  settleMessage(accountSid: string, sid: string, delivered: boolean): Promise<Result<undefined, string>>;
  /** A simulated caller calls a number of ours. Resolves when the call is answered or refused. */
  placeCall(call: {
    readonly from: string;
    readonly to: string;
    readonly durationSeconds: number;
    readonly isAnswered: boolean;
    readonly digits: string;
    /** What the caller says, once. */
    readonly audio: { readonly accountSid: string; readonly url: string } | undefined;
  }): Promise<Result<undefined, string>>;
  /** The owner migrates a campaign to us at the registry, which creates the campaign if it is unknown. */
  migrateCampaign(tcrCampaignId: string, outcome: (typeof MIGRATION_OUTCOMES)[number]): Result<undefined, string>;
  /** The losing carrier decides on an order. Resolves when the clearing house has the decision. */
  decidePort(
    sid: string,
    decision: { readonly outcome: (typeof PORT_OUTCOMES)[number]; readonly reason?: string },
  ): Promise<Result<undefined, string>>;
}

const PORT_OUTCOMES = [
  "complete",
  "partial",
  "reject",
  "exception",
  "delay",
  "focChange",
  "messagingLate",
  "silent",
] as const;
const MIGRATION_OUTCOMES = ["accept", "decline", "expire", "cancel"] as const;

export interface TestkitDeps {
  readonly world: SimulatedWorld;
  /** Our id at the campaign registry. */
  readonly upstreamCnpId: string | null;
  readonly supportContact: string;
}

const mediaUrl = anyText(2048).regex(/^https?:[^\0-\x20\ud800-\udfff]*$/i, "An http or https URL is wanted.");

const done = z.strictObject({ done: z.literal(true) }).meta({ id: "Emulated" });

interface GivenInbound {
  readonly from?: string | undefined;
  readonly to?: string | readonly (string | undefined)[] | undefined;
  readonly text?: string | undefined;
  readonly mediaUrls?: readonly unknown[] | undefined;
}

function inboundFaults({ from, to, text, mediaUrls }: GivenInbound, country: string | null): FieldErrors {
  return {
    ...numberFaults({ from }, country),
    ...ownNumberFaults(
      Object.fromEntries((typeof to === "string" ? [to] : (to ?? [])).map((number, at) => [`to[${at}]`, number])),
      country,
    ),
    ...(text === "" && mediaUrls?.length === 0 ? { text: ["Give text or mediaUrls."] } : {}),
  };
}

export const testkitOperations = tagged<TestkitDeps>(TEST_KIT, [
  accountOperation({
    id: "emulateInboundMessage",
    sdk: "sandbox.receiveMessage",
    command: "sandbox receive --from {from} --to {to} [--text text]",
    summary: "A subscriber sends a message to your numbers",
    route: "POST /Emulate/inbound-message",
    writes: false,
    body: z
      .strictObject({
        from: anyText(64),
        to: z.union([z.array(anyText(64)).min(1).max(20), anyText(64)], {
          error: ({ input }) => (input === undefined ? undefined : "A number or a list of 1 to 20 is expected."),
        }),
        text: anyText(10_000).regex(PLAIN_TEXT, "No phone can write this.").default(""),
        mediaUrls: z.array(mediaUrl).max(10).default([]),
      })
      .meta({ id: "EmulatedInboundMessage" }),
    answers: { 200: { description: "The carrier has handed it over.", body: done } },
    refusals: ["conflict"],
    furtherFaults: ({ body, country }) => inboundFaults(body, country),
    async handle({ account, body }, unit, { world }) {
      const faults: Record<string, readonly string[]> = { ...inboundFaults(body, account.country) };
      const from = readE164(body.from, account.country);
      const given = typeof body.to === "string" ? [body.to] : body.to;
      const read = await Promise.all(
        given.map((text) => readOwnNumber(unit.phones, account.sid, text, account.country)),
      );
      const numbers = read.flatMap((number) => (number.ok ? [number.value] : []));
      const phones = await Promise.all(numbers.map((number) => unit.phones.find(account.sid, number)));
      const own = phones.flatMap((phone) => (phone && phone.status !== "Removed" ? [phone] : []));
      if (numbers.length > 0 && own.length === 0) faults.to = ["None of these is a number of yours."];
      if (Object.keys(faults).length > 0 || !from.ok) return refused(invalid(faults));
      const elsewhere = own.find(({ status }) => status === "PendingPortIn");
      if (elsewhere) {
        const advice = `Messages to ${elsewhere.number} still go to the carrier that it is ported from.`;
        return refused(problem("conflict", advice));
      }
      const { text, mediaUrls } = body;
      const to = own.map(({ number }) => number);
      // A number of another account may be listed like any other number, but receives nothing at this account's
      // request.
      const others = numbers.filter((number) => !to.includes(number));
      const sent = await world.sendMessage({ from: from.value, to, others, text, mediaUrls });
      return sent.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", sent.refusal));
    },
  }),
  accountOperation({
    id: "emulateOutboundMessageStatus",
    sdk: "sandbox.settleMessage",
    command: {
      name: "sandbox settle",
      about: "Let the carrier tell what became of a message.",
      arguments: { "<sid>": "the message" },
      options: {
        "--delivered": ["deliveredSuccessfully", "it arrived"],
        "--failed": ["deliveredSuccessfully", "it did not", { value: false, conflicts: "delivered" }],
      },
      needs: "Say which: --delivered or --failed.",
      shows: [{ say: ["{<delivered>?The carrier reports it as delivered.}", "The carrier reports it as failed."] }],
    },
    summary: "The carrier tells what became of a message",
    route: "POST /Emulate/outbound-message-status",
    writes: false,
    body: z.strictObject({ sid: text(64), deliveredSuccessfully: z.boolean() }).meta({ id: "EmulatedMessageStatus" }),
    answers: { 200: { description: "The receipt is on its way.", body: done } },
    refusals: ["not-found", "conflict"],
    async handle({ account, body }, unit, { world }) {
      const message = await unit.outboundMessages.find(account.sid, body.sid);
      if (!message) return refused(problem("not-found", `The account has no outbound message ${body.sid}.`));
      const settled = await world.settleMessage(account.sid, body.sid, body.deliveredSuccessfully);
      return settled.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", settled.refusal));
    },
  }),
  accountOperation({
    id: "emulateInboundCall",
    sdk: "sandbox.receiveCall",
    command:
      "sandbox call --from {from} --to {to} [--seconds durationSeconds] [--digits digits] [--audio audioUrl] [--no-answer !answer]",
    summary: "Somebody calls your number",
    description:
      "The caller speaks and hangs up after `durationSeconds`. With `answer` false the telephone to which the call is forwarded rings and is not answered; otherwise it does what its number stands for.",
    route: "POST /Emulate/inbound-call",
    writes: false,
    body: z
      .strictObject({
        from: anyText(64),
        to: anyText(64),
        durationSeconds: z.int().min(1).max(600).default(10),
        answer: z.boolean().default(true),
        digits: z
          .string()
          .regex(/^[0-9A-D*#w]{0,64}$/, "Up to 64 keys, each 0 to 9, A to D, * or #; w waits for half a second.")
          .default("")
          .describe("Keys that the caller presses, half a second apart, from a second after the answer; `w` waits."),
        audioUrl: mediaUrl.optional().describe("A WAV or MP3 file that the caller speaks once, instead of a tone."),
      })
      .meta({ id: "EmulatedInboundCall" }),
    answers: { 200: { description: "The call was taken.", body: done } },
    refusals: ["conflict", "feature-off"],
    furtherFaults: ({ body, country }) => numberFaults({ from: body.from, to: body.to }, country),
    async handle({ account, body }, unit, { world, supportContact }) {
      if (!account.features.includes("voice")) {
        return refused(problem("feature-off", `voice is off for this account: ask ${supportContact} for it.`));
      }
      const { country } = account;
      const faults: Record<string, readonly string[]> = { ...numberFaults({ from: body.from, to: body.to }, country) };
      const [from, to] = [readE164(body.from, country), readE164(body.to, country)];
      const phone = to.ok ? await unit.phones.find(account.sid, to.value) : undefined;
      if (to.ok && (!phone || phone.status === "Removed")) faults.to = ["This is not a number of yours."];
      if (Object.keys(faults).length > 0 || !from.ok || !to.ok) return refused(invalid(faults));
      const { durationSeconds, answer: isAnswered, digits, audioUrl } = body;
      const audio = audioUrl === undefined ? undefined : { accountSid: account.sid, url: audioUrl };
      const call = { from: from.value, to: to.value, durationSeconds, isAnswered, digits, audio };
      const placed = await world.placeCall(call);
      return placed.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", placed.refusal));
    },
  }),
  accountOperation({
    id: "emulateCampaignMigration",
    sdk: "sandbox.migrateCampaign",
    command: {
      name: "sandbox migrate",
      about: "Let the owner of a campaign migrate it to your account in the registry.",
      arguments: { "<id>": ["tcrCampaignId", "the campaign; made there if it is unknown"] },
      options: { "--outcome <outcome>": ["outcome", undefined, { default: "accept" }] },
      shows: [{ say: "The migration of {<id>} has begun." }],
    },
    summary: "The owner of a campaign migrates it to us",
    description:
      "Makes the campaign at the simulated registry where it is unknown there. It will be yours, whatever your MessagingConfigs are called. `campaignMigration` must be switched on for your account.",
    route: "POST /Emulate/campaign-migration",
    body: z
      .strictObject({
        tcrCampaignId: campaignId,
        outcome: z.enum(MIGRATION_OUTCOMES).meta({ id: "MigrationOutcome" }).default("accept"),
      })
      .meta({ id: "EmulatedCampaignMigration" }),
    answers: { 200: { description: "The migration has begun.", body: done } },
    refusals: ["conflict", "feature-off"],
    async handle({ account, body, now }, unit, { world, upstreamCnpId, supportContact }) {
      const { tcrCampaignId } = body;
      // Only operators may learn which account it is.
      const taken = refused(problem("conflict", `${tcrCampaignId} is another account's.`));
      if (!account.features.includes("campaignMigration")) {
        const advice = `campaignMigration is off for this account: ask ${supportContact} for it.`;
        return refused(problem("feature-off", advice));
      }
      const known = await unit.followedCampaigns.find(tcrCampaignId);
      const owner = (await unit.campaigns.ownerOf(tcrCampaignId)) ?? known?.accountSid ?? account.sid;
      if (owner !== account.sid) return taken;
      // Assigned first, so that no other account becomes its owner.
      const order = { tcrCampaignId, accountSid: account.sid, cnpId: upstreamCnpId };
      const assigned = await assignCampaign(unit, order, now);
      if (!assigned.ok) return assigned.refusal.code === "conflict" ? taken : assigned;
      const begun = world.migrateCampaign(tcrCampaignId, body.outcome);
      return begun.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", begun.refusal));
    },
  }),
  accountOperation({
    id: "emulatePort",
    sdk: "sandbox.decidePort",
    command: {
      name: "sandbox port",
      about: "Let the losing carrier make up its mind about a port order.",
      arguments: { "<sid>": "the order" },
      options: {
        "--outcome <outcome>": ["outcome", undefined, { default: "complete" }],
        "--reason <code>": ["reason", "of a rejection or an exception, such as ENTITY_NAME_MISMATCH", { kind: "text" }],
      },
      shows: [{ say: "The losing carrier has decided: {<outcome>}." }],
    },
    summary: "The losing carrier makes up its mind about a port order",
    description:
      "`partial`: the later half of the numbers is rejected, or the messaging of a single one, which becomes `Removed`. `exception`: it waits for your answer. `delay`: three times as long. `focChange`: another date. `messagingLate`: voice at once, messaging later. `silent`: never.",
    route: "POST /Emulate/port",
    writes: false,
    body: z
      .strictObject({
        sid: text(64),
        outcome: z.enum(PORT_OUTCOMES).meta({ id: "PortOutcome" }).default("complete"),
        reason: text(100).optional().describe("The code of a reason, such as `ENTITY_NAME_MISMATCH`."),
      })
      .meta({ id: "EmulatedPort" }),
    answers: { 200: { description: "It has decided; the news is on its way.", body: done } },
    refusals: ["not-found", "conflict"],
    async handle({ account, body }, unit, { world }) {
      const order = await unit.portOrders.find(body.sid);
      if (order?.accountSid !== account.sid) {
        return refused(problem("not-found", `The account has no port order ${body.sid}.`));
      }
      const { outcome, reason } = body;
      const decided = await world.decidePort(order.sid, reason === undefined ? { outcome } : { outcome, reason });
      return decided.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", decided.refusal));
    },
  }),
]);
