import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIGNATURE_HEADER, TIMESTAMP_HEADER, verifyClearingHouseNotification } from "./notification.ts";

const SECRET = "the house's secret";
const NOW = new Date("2026-01-05T12:00:00Z");
const NOW_SECONDS = NOW.getTime() / 1000;
const BODY = JSON.stringify({
  news: [{ order: `PO${"0".repeat(32)}`, sequence: 1, at: "2026-01-05T11:59:00.000Z", kind: "submitted" }],
});

function sign(body: string, timestamp: string, secret = SECRET): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

function verify(change: { timestamp?: string; signature?: string; body?: string } = {}) {
  const { timestamp = String(NOW_SECONDS), body = BODY } = change;
  const signature = change.signature ?? sign(body, timestamp);
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
  return verifyClearingHouseNotification({ headers, body: Buffer.from(body), secret: SECRET, now: NOW });
}

describe("a notification", () => {
  test("of the house is read", () => {
    expect(verify()).toMatchObject({ ok: true, value: { unreadable: 0, updates: [{ sequence: 1, numbers: "all" }] } });
  });

  test("signed with two secrets, of which ours is one, is read", () => {
    const signature = `${sign(BODY, String(NOW_SECONDS), "older")}, ${sign(BODY, String(NOW_SECONDS))}`;
    expect(verify({ signature })).toMatchObject({ ok: true });
  });

  test("of another user, or changed on its way, is not", () => {
    expect(verify({ signature: sign(BODY, String(NOW_SECONDS), "other") })).toEqual({ ok: false, refusal: "no-match" });
    const signature = sign(BODY, String(NOW_SECONDS));
    expect(verify({ signature, body: BODY.replace("submitted", "cancelled") })).toMatchObject({ refusal: "no-match" });
    expect(verify({ signature, timestamp: String(NOW_SECONDS + 1) })).toMatchObject({ refusal: "no-match" });
    for (const unfit of ["", "v1=", signature.slice(0, -1), signature.slice(3), `v2${signature.slice(2)}`]) {
      expect(verify({ signature: unfit })).toMatchObject({ refusal: "no-match" });
    }
  });

  test.each([
    [-301, "too-old"],
    [301, "too-new"],
  ])("sent again %i s from now is refused although its signature is good", (seconds, refusal) => {
    expect(verify({ timestamp: String(NOW_SECONDS + seconds) })).toEqual({ ok: false, refusal });
  });

  test.each([[-300], [300]])("%i s away is of now", (seconds) => {
    expect(verify({ timestamp: String(NOW_SECONDS + seconds) })).toMatchObject({ ok: true });
  });

  test("without time or signature is refused", () => {
    const order = { body: Buffer.from(BODY), secret: SECRET, now: NOW };
    const signature = sign(BODY, String(NOW_SECONDS));
    for (const headers of [
      {},
      { [TIMESTAMP_HEADER]: String(NOW_SECONDS) },
      { [SIGNATURE_HEADER]: signature },
      { [TIMESTAMP_HEADER]: "now", [SIGNATURE_HEADER]: signature },
      { [TIMESTAMP_HEADER]: String(NOW_SECONDS), [SIGNATURE_HEADER]: [signature, signature] },
    ]) {
      expect(verifyClearingHouseNotification({ ...order, headers })).toMatchObject({ refusal: "missing-header" });
    }
  });

  test("that is signed, but nonsense, is refused; news that cannot be read is counted", () => {
    for (const body of ["", "5", "null", "[]", '{"new":[]}', "x".repeat(300_000)]) {
      expect(verify({ body })).toEqual({ ok: false, refusal: "bad-body" });
    }
    const body = JSON.stringify({ news: [{ kind: "teleported" }, null, ...JSON.parse(BODY).news] });
    expect(verify({ body })).toMatchObject({ ok: true, value: { unreadable: 2, updates: [{ sequence: 1 }] } });
  });

  test("may say anything at all", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array(), (timestamp, signature, body) => {
        const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
        expect(verifyClearingHouseNotification({ headers, body, secret: SECRET, now: NOW }).ok).toBe(false);
      }),
    );
  });
});
