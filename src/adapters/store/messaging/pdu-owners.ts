// Whose a PDU of a carrier is: by the message that a receipt is about, or by the number that a message comes to.

import { e164Candidates } from "../../../domain/messaging/index.ts";
import type { Queryable } from "../engine/database.ts";

export type PduSubject =
  | { readonly kind: "receipt"; readonly carrierId: string }
  | { readonly kind: "inbound"; readonly to: string };

export interface PduOwner {
  readonly accountSid: string;
  /** Null of a message that is not stored yet. */
  readonly sid: string | null;
}

/** Of a receipt only as long as it is awaited. */
export async function ownerOf(db: Queryable, carrier: string, subject: PduSubject): Promise<PduOwner | undefined> {
  const [owner] =
    subject.kind === "receipt"
      ? await db.query<PduOwner>(
          `select account_sid as "accountSid", sid from awaited_receipts where carrier = $1 and carrier_id = $2 limit 1`,
          [carrier, subject.carrierId],
        )
      : await db.query<PduOwner>(
          `select account_sid as "accountSid", null as sid from phones
           where number = any($1::text[]) and status <> 'Removed' order by array_position($1::text[], number) limit 1`,
          [[subject.to, ...e164Candidates(subject.to)]],
        );
  return owner;
}
