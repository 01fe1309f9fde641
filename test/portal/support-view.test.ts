import fc from "fast-check";
import { expect, test } from "vitest";
import { withMoments } from "../../portal/src/components/absolute-times.ts";
import { supportViewOf } from "../../portal/src/screens/support/support-view.ts";

const AC = "AC0123";
const OM = `OM${"0".repeat(32)}`;
const IM = `IM${"0".repeat(32)}`;

/** What the operator sees, as text that people read. */
const viewOf = (address: string) =>
  decodeURIComponent(supportViewOf(AC, address).replaceAll("+", " ")).replace(`/operator/accounts/${AC}`, "");

test.each([
  ["/", "?tab=attention"],
  ["/sandbox", ""],
  ["/messages", "?tab=messages"],
  ["/messages?q=status:failed+to:%2B14155550100+error:3002", "?to=+14155550100&tab=messages&status=Failed&error=3002"],
  ["/messages?q=status:nonsense+two+words", "?tab=messages&find=two words"],
  ["/messages?failed=yes", "?tab=messages&status=Failed"],
  ["/messages/new", "?tab=messages"],
  ["/messages/+14155550101", "?tab=messages&to=+14155550101"],
  ["/messages/%2B14155550101", "?tab=messages&to=+14155550101"],
  [`/messages/${OM}`, `?tab=messages&sel=${OM}`],
  [`/messages/${IM}`, `?tab=received&sel=${IM}`],
  ["/calls?q=direction:inbound+status:completed", "?tab=calls&status=Completed&direction=Inbound"],
  ["/calls/CA1?at=32", "?tab=calls&sel=CA1"],
  ["/conferences/CF1", "?tab=calls"],
  ["/webhooks", "?tab=deliveries"],
  ["/webhooks/WS1?q=status:failed", "?tab=deliveries&webhook=WS1&status=Failed"],
  ["/webhooks/deliveries/WH1", "?tab=deliveries&sel=WH1"],
  [
    "/webhooks/deliveries?q=status:failed+since:2026-03-01T10:00:00Z+until:2026-03-01T11:00:00Z",
    "?tab=deliveries&status=Failed&since=2026-03-01T10:00:00.000Z&until=2026-03-01T11:00:00.000Z",
  ],
  ["/calls?q=until:2026-03-01T11:00:00Z", "?tab=calls&until=2026-03-01T11:00:00.000Z"],
  ["/statistics?span=month", "?tab=traffic"],
  ["/numbers?status=Active", "?tab=numbers&status=Active"],
  ["/numbers/+14155550100", "?tab=numbers&number=+14155550100"],
  ["/configs", "?tab=configs"],
  ["/configs/new", "?tab=configs"],
  ["/configs/MC1", "?tab=configs&sel=MC1"],
  ["/opt-outs?number=415", "?tab=opt-outs&number=415"],
  ["/campaigns", "?tab=migrations"],
  ["/migrations/CABC123", "?tab=migrations&sel=CABC123"],
  ["/requests/abc-1", "?tab=requests&request=abc-1"],
  ["/account", "?tab=rights"],
  ["/account/changes?resource=WS1", "?tab=changes&resource=WS1"],
])("support sees %s as %s", (address, view) => {
  const paramsOf = (text: string) => [...new URLSearchParams(text.replaceAll("+", "%2B"))].sort();
  expect(paramsOf(viewOf(address))).toEqual(paramsOf(view));
});

test("support sees the log of the account alone", () => {
  expect(viewOf("/log?q=status:4xx")).toBe(`/log?q=status:4xx account:${AC}`);
});

test("whatever an address says leads to a page of the account", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath(), fc.webUrl()), (address) => {
      const view = supportViewOf(AC, address);
      expect(view.startsWith(`/operator/accounts/${AC}`) || view.startsWith("/log?")).toBe(true);
    }),
  );
});

test("a time before now becomes a moment, and the rest of a filter stays", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const shown = withMoments("/calls?q=status:Answered+since:2h+-since:1d+until:1h+%22two+words%22", now);
  expect(new URLSearchParams(shown.split("?")[1]).get("q")).toBe(
    'status:Answered since:2026-03-01T10:00:00.000Z -since:2026-02-28T12:00:00.000Z until:2026-03-01T11:00:00.000Z "two words"',
  );
  expect(withMoments("/calls", now)).toBe("/calls");
  expect(withMoments("/numbers?status=Active", now)).toBe("/numbers?status=Active");
});
