// The state of a dialog as text that is stored beside the call: if this process dies, another one can still send BYE.

import { z } from "zod";
import type { Dialog } from "../../wire/sip/dialog.ts";
import type { Hop, PeerPlace } from "./flow.ts";

const LENGTH_MAX = 16_384;

const text = z.string().max(4096);

const leftDialog = z.object({
  trunk: z.string().optional(),
  withheld: text.optional(),
  /** The last hop of the leg. */
  hop: z.object({
    transport: z.enum(["UDP", "TCP", "TLS"]),
    address: text,
    family: z.union([z.literal(4), z.literal(6)]),
    port: z.int().min(1).max(65_535),
  }),
  dialog: z.object({
    callId: text,
    localTag: text,
    remoteTag: text,
    local: text,
    remote: text,
    localCseq: z.int().min(0),
    remoteCseq: z.int(),
    target: text,
    routes: z.array(text).max(20),
  }),
});

export interface LeftDialog {
  readonly trunk: string | undefined;
  /** The caller, when it does not want to be shown. */
  readonly withheld: string | undefined;
  readonly hop: Hop;
  readonly dialog: Dialog;
}

export function writeLeftDialog(
  dialog: Dialog,
  { trunk, withheld }: Pick<LeftDialog, "trunk" | "withheld">,
  { transport, address, family, port }: PeerPlace,
): string {
  return JSON.stringify({ trunk, withheld, hop: { transport, address, family, port }, dialog });
}

export function readLeftDialog(stored: string): LeftDialog | undefined {
  if (stored.length > LENGTH_MAX) return undefined;
  const parsed = leftDialog.safeParse(parseJson(stored));
  if (!parsed.success) return undefined;
  const { trunk, withheld, hop, dialog } = parsed.data;
  return { trunk, withheld, hop: { ...hop, servername: hop.address, server: hop.address }, dialog };
}

function parseJson(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
