// This process among those that serve the database: it reports what it is, and drains when an operator wants it.

import { hostname } from "node:os";
import { operatorNodeOperations } from "../../adapters/http/routes/operations/operator-nodes.ts";
import { forgetNode, reportNode } from "../../adapters/store/nodes.ts";
import type { NodeReport } from "../../domain/nodes.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { MessagingPart } from "./messaging.ts";
import type { VoicePart } from "./voice.ts";

const REPORT_MS = 5_000;
const FORGET_MS = 1_000;

export const nodesApi: Api<unknown> = { operator: operatorNodeOperations };

export interface NodesDeps {
  readonly version: string;
  readonly isReady: () => boolean;
  readonly messaging: MessagingPart;
  readonly voice: VoicePart;
  /** Ends this process as a signal does. */
  readonly onDrain: () => void;
}

export function openNodes(context: Context, { version, isReady, messaging, voice, onDrain }: NodesDeps): Part {
  const { config, store, clock, ids, publicUrl, isListening, log, metrics } = context;
  const sid = ids.sid("ND");
  const startedOn = clock.now();
  let isLeaving = false;
  const state = (): NodeReport["state"] => (isLeaving ? "Draining" : isReady() ? "Ready" : "Starting");
  const report = async () => {
    if (!isListening()) return;
    const isToDrain = await reportNode(
      store.db,
      {
        sid,
        host: hostname(),
        version,
        roles: config.settings.TANDEM_ROLES,
        url: publicUrl(),
        state: state(),
        clock: clock.fault ?? "ok",
        links: messaging.links().map(({ name }) => name),
        trunks: voice.trunks().trunks,
        startedOn,
      },
      clock.now(),
    );
    if (isToDrain && !isLeaving) onDrain();
  };
  metrics.process.setVersion(version);
  metrics.process.watchPool("requests", () => store.db.load);
  metrics.process.readNodesBy(sid, () => store.nodes.list(clock.now()));
  /** The last report, which says that this process leaves. */
  let lastReport = Promise.resolve();
  return {
    name: "nodes",
    operations: servedApi(nodesApi, undefined),
    tasks: [{ name: "report this node", everyMs: REPORT_MS, ignoresClock: true, run: report }],
    leave() {
      if (isLeaving) return;
      isLeaving = true;
      lastReport = report().catch((error: Error) => log.warn({ reason: error.message }, "node not reported"));
    },
    // A stop does not wait for a database that is away: the row then says that this node is silent.
    async close() {
      if (!store.isCurrent()) return;
      const forgotten = lastReport.then(() => forgetNode(store.db, sid)).catch(() => undefined);
      await new Promise<void>((resolve) => {
        const cancel = clock.after(FORGET_MS, resolve);
        forgotten.then(cancel).then(resolve);
      });
    },
  };
}
