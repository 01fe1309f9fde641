import { describe, expect, test } from "vitest";
import { newMessage } from "../../../../test/fakes/new-message.ts";
import { useWebhookStore } from "../../../../test/fakes/webhook-store.ts";
import type { Moves } from "../../../base/moves.ts";
import {
  FAILURES,
  MESSAGE_MOVES,
  MESSAGE_STATUSES,
  type MessageMove,
  type MessageStatus,
  makePlacer,
  type SubmitOutcome,
} from "../../../domain/messaging/index.ts";
import { mayMove, soleSource } from "./message-changes.ts";
import { StoredIntake } from "./message-intake.ts";
import { StoredReceipts } from "./message-receipts.ts";
import { outboundMessageStore } from "./outbound-messages.ts";
import { StoredSendQueue } from "./send-queue.ts";
import { expireMessages, outgoingOf } from "./waiting-messages.ts";

const TABLE: Moves<MessageStatus, MessageMove> = MESSAGE_MOVES;

const store = useWebhookStore();

test("what SQL permits changes with the table of moves", () => {
  expect(mayMove(["canceled"])).toBe("(status = 'Queued')");
  expect(mayMove(["canceled"], { ...TABLE, Queued: {} })).toBe("false");
  expect(mayMove(["canceled"], { ...TABLE, Sent: { canceled: "Canceled" } })).toBe(
    "(status = 'Queued' or status = 'Sent')",
  );
  expect(() => soleSource(["canceled"], { ...TABLE, Sent: { canceled: "Canceled" } })).toThrow();
});

test("several moves are permitted where each of them is", () => {
  expect(mayMove(["delivered", "canceled"])).toBe("(status = 'Queued')");
});

const link = { name: "link", carrier: "carrier", kind: "sms", capacity: () => 1, submit: () => undefined } as const;

async function settle(sid: string, outcome: SubmitOutcome): Promise<void> {
  const message = outgoingOf(newMessage({ sid, accountSid: store.accountSid }));
  await new StoredSendQueue(store.db, makePlacer([])).settle(
    [{ message, submit: 1, link, outcome, leftOn: new Date(), at: new Date() }],
    [],
    new Date(),
  );
}

async function receive(sid: string, state: "delivered" | "failed"): Promise<void> {
  await store.db.query(
    `insert into awaited_receipts (carrier, carrier_id, account_sid, sid, link, sent_at) values ('carrier', $1, $2, $1, 'link', now())`,
    [sid, store.accountSid],
  );
  const receipt = { carrier: "carrier", carrierId: sid, state, errorCode: null, receivedOn: new Date() };
  await new StoredReceipts(store.db).take(receipt);
}

const MAKE: Readonly<Record<MessageMove, (sid: string) => Promise<unknown>>> = {
  accepted: (sid) => settle(sid, { kind: "accepted", carrierIds: [sid] }),
  refused: (sid) => settle(sid, { kind: "rejected", failure: FAILURES.rejected, reason: "no", carrierIds: [] }),
  async expired(sid) {
    await store.db.query("update outbound_queue set expires_at = now() - interval '1 hour' where sid = $1", [sid]);
    await expireMessages(store.db, new Date());
  },
  canceled: (sid) => outboundMessageStore(store.db).cancel(store.accountSid, sid, new Date()),
  delivered: (sid) => receive(sid, "delivered"),
  undelivered: (sid) => receive(sid, "failed"),
};

const PLACES: readonly (readonly [MessageStatus, number])[] = [
  ...MESSAGE_STATUSES.map((status) => [status, status === "Failed" ? FAILURES.rejected.code : 0] as const),
  ["Failed", FAILURES.unknownOutcome.code],
];

describe.each(Object.keys(MAKE) as MessageMove[])("%s", (move) => {
  test.each(PLACES)("from %s with code %i goes where the table says", async (from, errorCode) => {
    const sid = store.ids.sid("OM");
    await new StoredIntake(store.db).accept(newMessage({ sid, accountSid: store.accountSid }));
    await store.db.query("update outbound_messages set status = $2, error_code = $3 where sid = $1", [
      sid,
      from,
      errorCode,
    ]);
    await MAKE[move](sid);
    const [row] = await store.db.query<{ status: MessageStatus; previous: string | null }>(
      `select status, (select fields->>'PreviousStatus' from events where resource_sid = $1) as previous
         from outbound_messages where sid = $1`,
      [sid],
    );
    const isFinal = errorCode === FAILURES.rejected.code;
    const to = isFinal ? from : (TABLE[from][move] ?? from);
    expect(row).toEqual({ status: to, previous: to === from ? null : from });
  });
});
