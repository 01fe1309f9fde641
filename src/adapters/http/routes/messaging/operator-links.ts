// The operator's view of the links to carriers.

import { z } from "zod";
import { ok } from "../../../../base/result.ts";
import { type Operation, operatorOperation } from "../../core/operation.ts";
import { listOf } from "../../core/schemas.ts";

export interface LinkHealth {
  readonly name: string;
  readonly carrier: string;
  readonly kind: "sms" | "mms";
  readonly state: string;
  readonly reason: string;
  /** How many messages it takes now. */
  readonly room: number;
}

export interface OperatorLinkDeps {
  /** The links of this process; another process may be the one that sends. */
  readonly links: () => readonly LinkHealth[];
}

const linkSchema = z
  .strictObject({
    name: z.string(),
    carrier: z.string(),
    kind: z.enum(["sms", "mms"]),
    state: z.string().describe("`bound` is well."),
    reason: z.string(),
    room: z.int().describe("Messages it takes just now."),
  })
  .meta({ id: "CarrierLink" });

export function operatorLinkOperations(): readonly Operation<OperatorLinkDeps>[] {
  return [
    operatorOperation({
      id: "listLinks",
      tag: "Operator: carriers",
      summary: "Links to carriers and how they fare",
      description: "One process at a time keeps the links; the others answer an empty list.",
      method: "GET",
      path: "/Links",
      writes: false,
      answers: { 200: { description: "The links.", body: listOf("CarrierLinkList", linkSchema) } },
      refusals: [],
      handle: async (_input, _unit, { links }) => ok({ status: 200, body: { items: links() } }),
    }),
  ];
}
