import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { Node } from "../domain/nodes.ts";
import type { DeliveryReport } from "../domain/webhooks/index.ts";
import { Metrics } from "./metrics.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");

function report(more: Partial<DeliveryReport>, status: number | null = 200, failure: string | null = null) {
  const attempt = { at: NOW, url: "https://receiver.example/", status, failure, ms: 1, answer: null };
  const settled = {
    sid: "WH1",
    entry: 1,
    subscriptionSid: "WS1",
    resourceSid: "OM1",
    sequence: 1,
    payloadShape: null,
    status: "Delivered",
    nextAttemptOn: null,
    attempts: [attempt],
  } as const;
  return {
    tried: { settled, outcome: "delivered", isElsewhere: false },
    endpoint: "healthy",
    firstAttemptLagMs: undefined,
    ...more,
  } as const satisfies DeliveryReport;
}

test("deliveries are counted apart for receivers that fare well and for those that fail", async () => {
  const metrics = new Metrics();
  metrics.delivery(report({ firstAttemptLagMs: 40 }));
  metrics.delivery(report({}, 204));
  metrics.delivery(report({ endpoint: "failing", firstAttemptLagMs: 4000 }, null, "timeout: There was no answer."));
  const text = await metrics.text();
  expect(text).toContain('tandem_webhook_attempts_total{answer="2xx",endpoint="healthy"} 2\n');
  expect(text).toContain('tandem_webhook_attempts_total{answer="timeout",endpoint="failing"} 1\n');
  expect(text).toContain('tandem_webhook_deliveries_total{outcome="delivered",endpoint="healthy"} 2\n');
  expect(text).toContain('tandem_webhook_first_attempt_lag_seconds_bucket{le="0.05",endpoint="healthy"} 1\n');
  expect(text).toContain('tandem_webhook_first_attempt_lag_seconds_sum{endpoint="failing"} 4\n');
});

test("the backlog is read again whenever figures are asked for", async () => {
  const metrics = new Metrics();
  let backlog = { count: 3, oldestMs: 90_500 };
  metrics.readBacklogBy(async () => backlog);
  const before = await metrics.text();
  expect(before).toContain("tandem_webhook_deliveries_due 3\n");
  expect(before).toContain("tandem_webhook_oldest_due_seconds 90.5\n");
  backlog = { count: 0, oldestMs: 0 };
  const after = await metrics.text();
  expect(after).toContain("tandem_webhook_deliveries_due 0\n");
  expect(after).toContain("tandem_webhook_oldest_due_seconds 0\n");
});

test("links, the queue and reconciles are as they are now", async () => {
  const metrics = new Metrics();
  const link = { name: "east", carrier: "acme", kind: "sms", since: NOW } as const;
  metrics.readLinksBy(() => [{ ...link, state: "bound" }]);
  metrics.readQueueBy(() => ({ due: 3, later: 4, oldestMs: 2_500, top: [["AC1", 5]] }));
  metrics.readReconcilesBy(async () => [{ name: "follow-ports", ageMs: 1_500, outcome: "Failed" }]);
  metrics.received("east", "sms");
  metrics.receipt("acme", "delivered");
  const text = await metrics.text();
  expect(text).toContain('tandem_link_up{link="east",carrier="acme",kind="sms"} 1\n');
  expect(text).toContain('tandem_link_state{link="east",state="bound"} 1\n');
  expect(text).toContain(`tandem_link_since_timestamp_seconds{link="east"} ${NOW.getTime() / 1000}\n`);
  expect(text).toContain('tandem_message_queue_depth{when="now"} 3\n');
  expect(text).toContain('tandem_message_queue_depth{when="later"} 4\n');
  expect(text).toContain("tandem_message_oldest_due_seconds 2.5\n");
  expect(text).toContain('tandem_message_queue_by_account{account="AC1"} 5\n');
  expect(text).toContain('tandem_inbound_messages_total{link="east",kind="sms"} 1\n');
  expect(text).toContain('tandem_receipts_total{carrier="acme",state="delivered"} 1\n');
  expect(text).toContain('tandem_reconcile_age_seconds{reconcile="follow-ports"} 1.5\n');
  expect(text).toContain('tandem_reconcile_failing{reconcile="follow-ports"} 1\n');
  metrics.readLinksBy(() => [{ ...link, state: "stopped" }]);
  metrics.readQueueBy(() => undefined);
  metrics.readReconcilesBy(() => Promise.reject(new Error("out of reach")));
  const after = await metrics.text();
  expect(after).toContain('tandem_link_up{link="east",carrier="acme",kind="sms"} 0\n');
  expect(after).not.toContain('state="bound"');
  expect(after).toMatch(/^tandem_message_queue_depth\{when="now"\} nan$/im);
  expect(after).not.toContain('reconcile="follow-ports"');
});

test("figures are shown though the database is out of reach, and a backlog that is not known is not shown as none", async () => {
  const metrics = new Metrics();
  metrics.readBacklogBy(() => Promise.reject(new Error("out of reach")));
  const text = await metrics.text();
  expect(text).toMatch(/^tandem_webhook_deliveries_due nan$/im);
  expect(text).toMatch(/^tandem_webhook_oldest_due_seconds nan$/im);
  expect(text).toContain("process_cpu_seconds_total");
});

test("the pools of the process, its version, its leases and its neighbours are shown", async () => {
  const metrics = new Metrics();
  expect(await metrics.text()).not.toContain("tandem_nodes{");
  metrics.process.setVersion("1.2.3");
  metrics.process.watchPool("requests", () => ({ open: 5, idle: 2, waiting: 1, unavailable: 7 }));
  const node = (sid: string, more: object) => ({ sid, state: "Ready", leases: [], ...more }) as unknown as Node;
  const reads = vi.fn(async () => [
    node("ND1", { leases: ["Sending"] }),
    node("ND2", { leases: ["Calls"], state: "Silent" }),
  ]);
  metrics.process.readNodesBy("ND1", reads);
  for (let time = 0; time < 2; time++) {
    const text = await metrics.text();
    expect(text).toContain('tandem_build_info{version="1.2.3"} 1\n');
    expect(text).toContain('tandem_database_connections{pool="requests",state="busy"} 3\n');
    expect(text).toContain('tandem_database_connections{pool="requests",state="idle"} 2\n');
    expect(text).toContain('tandem_database_waiting{pool="requests"} 1\n');
    expect(text).toContain('tandem_database_unavailable_total{pool="requests"} 7\n');
    expect(text).toContain('tandem_leases{lease="Sending"} 1\n');
    expect(text).toContain('tandem_leases{lease="Calls"} 0\n');
    expect(text).toContain('tandem_nodes{state="Ready"} 1\n');
    expect(text).toContain('tandem_nodes{state="Silent"} 1\n');
  }
  expect(reads).toHaveBeenCalledTimes(2);
  metrics.process.readNodesBy("ND1", () => Promise.reject(new Error("out of reach")));
  expect(await metrics.text()).not.toContain("tandem_nodes{");
});

test("every metric of ours is in docs/health.md", async () => {
  const text = await new Metrics().text();
  const page = readFileSync(new URL("../../docs/health.md", import.meta.url), "utf8");
  const names = [...text.matchAll(/^# HELP (tandem_\w+) /gm)].map(([, name = ""]) => name);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
