// Acting on the simulated world, with the account's own credentials. Mounted only where there is a sandbox.

import { z } from "zod";
import { ok, type Result, refused } from "../../../base/result.ts";
import type { NumberReader } from "../../../domain/messaging/index.ts";
import { invalid, problem } from "../../../domain/problems.ts";
import { accountOperation, type Operation, type OperationGroup } from "../operation.ts";

/** What can be made to happen outside. */
export interface SimulatedWorld {
  /** A subscriber sends a message. Resolves when the carrier has handed it over. */
  sendMessage(message: {
    readonly from: string;
    readonly to: readonly string[];
    readonly text: string;
    readonly mediaUrls: readonly string[];
  }): Promise<Result<undefined, string>>;
  /** The carrier tells what became of a message it took. */
  settleMessage(accountSid: string, sid: string, delivered: boolean): Promise<Result<undefined, string>>;
}

export interface TestkitDeps {
  readonly world: SimulatedWorld;
  readonly readNumber: NumberReader;
}

const done = z.strictObject({ done: z.literal(true) }).meta({ id: "Emulated" });

export function testkitRoutes(deps: TestkitDeps): OperationGroup {
  return { prefixes: ["/testkit/v1"], operations: messageOperations(deps) };
}

function messageOperations({ world, readNumber }: TestkitDeps): readonly Operation[] {
  return [
    accountOperation({
      id: "emulateInboundMessage",
      tag: "Test kit",
      summary: "A subscriber sends a message to your numbers",
      method: "POST",
      path: "/Emulate/inbound-message",
      limit: "write",
      writes: false,
      body: z
        .strictObject({
          from: z.string().max(64),
          to: z.union([z.array(z.string().max(64)).min(1).max(20), z.string().max(64)]),
          text: z.string().max(10_000).default(""),
          mediaUrls: z.array(z.string().max(2048)).max(10).default([]),
        })
        .meta({ id: "EmulatedInboundMessage" }),
      answers: { 200: { description: "The carrier has handed it over.", body: done } },
      refusals: ["conflict"],
      async handle({ account, body }, unit) {
        const faults: Record<string, string[]> = {};
        const from = readNumber(body.from);
        if (!from.ok) faults.from = [from.refusal.reason];
        const given = typeof body.to === "string" ? [body.to] : body.to;
        const numbers: string[] = [];
        for (const [index, text] of given.entries()) {
          const read = readNumber(text);
          if (!read.ok) faults[`to[${index}]`] = [read.refusal.reason];
          else numbers.push(read.value.e164);
        }
        if (body.text === "" && body.mediaUrls.length === 0) faults.text = ["Give text or mediaUrls."];
        const own = await Promise.all(numbers.map((number) => unit.phones.find(account.sid, number)));
        if (numbers.length > 0 && !own.some(Boolean))
          faults.to = [...(faults.to ?? []), "None of these is a number of yours."];
        if (Object.keys(faults).length > 0 || !from.ok) return refused(invalid(faults));
        const { text, mediaUrls } = body;
        const sent = await world.sendMessage({ from: from.value.e164, to: numbers, text, mediaUrls });
        return sent.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", sent.refusal));
      },
    }),
    accountOperation({
      id: "emulateOutboundMessageStatus",
      tag: "Test kit",
      summary: "The carrier tells what became of a message",
      method: "POST",
      path: "/Emulate/outbound-message-status",
      limit: "write",
      writes: false,
      body: z
        .strictObject({ sid: z.string().max(64), deliveredSuccessfully: z.boolean() })
        .meta({ id: "EmulatedMessageStatus" }),
      answers: { 200: { description: "The receipt is on its way.", body: done } },
      refusals: ["not-found", "conflict"],
      async handle({ account, body }, unit) {
        const message = await unit.outboundMessages.find(account.sid, body.sid);
        if (!message) return refused(problem("not-found"));
        const settled = await world.settleMessage(account.sid, body.sid, body.deliveredSuccessfully);
        return settled.ok ? ok({ status: 200, body: { done: true } }) : refused(problem("conflict", settled.refusal));
      },
    }),
  ];
}
