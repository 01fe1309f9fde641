// What needs attention, found in the records and states of the other parts.

import {
  type AttentionDeps,
  attentionOperations,
  operatorAttentionOperations,
} from "../../adapters/http/routes/operations/attention.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { MessagingPart } from "./messaging.ts";
import type { VoicePart } from "./voice.ts";

export const attentionApi: Api<AttentionDeps> = {
  account: attentionOperations,
  operator: operatorAttentionOperations,
};

export function openAttention({ outside }: Context, { links }: MessagingPart, { trunks }: VoicePart): Part {
  const deps = { links, trunks, isPortingByHand: outside.porting.kind === "manual" };
  return { name: "attention", operations: servedApi(attentionApi, deps) };
}
