// Porting with everything it needs: the gateway to whoever carries orders out, the reconcile that follows them, and the door that
// notifications come through.

import { verifyClearingHouseNotification } from "../adapters/clearing-house/notification.ts";
import { makePorting, type PortingSettings } from "../adapters/clearing-house/porting-settings.ts";
import type { ClearingHouseRouteDeps } from "../adapters/http/routes/porting/clearing-house-route.ts";
import type { SecretBox } from "../adapters/secrets.ts";
import { portQueue } from "../adapters/store/porting/port-queue.ts";
import type { OpenStore } from "../adapters/store/store.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { ok } from "../base/result.ts";
import { applyPortUpdates, type FollowDeps, followPorts } from "../domain/porting/index.ts";
import type { Reconcile } from "./reconcile.ts";

export interface PortingPartDeps {
  readonly settings: PortingSettings;
  readonly secret: (name: string) => string | undefined;
  readonly store: OpenStore;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PortingPart {
  readonly reconcile: Reconcile;
  /** Absent where nobody notifies us. */
  readonly route: ClearingHouseRouteDeps | undefined;
  /** Carries on what waits, without waiting for the next pass. */
  carryOn(): Promise<void>;
  close(): Promise<void>;
}

/** What waits is looked for so often; the clearing house is asked for updates more rarely. */
const LOOK_MS = 1_000;

export function openPorting({ settings, secret, store, box, clock, log }: PortingPartDeps): PortingPart {
  const { gateway, webhook, pollSeconds } = makePorting(settings, { secret, clock, log });
  const deps: FollowDeps = {
    gateway,
    queue: portQueue(store.db, box, clock),
    transaction: store.transaction,
    clock,
    log,
    updatesEveryMs: pollSeconds === undefined ? undefined : pollSeconds * 1000,
  };
  let isClosing = false;
  return {
    reconcile: {
      name: "follow-ports",
      everyMs: LOOK_MS,
      async run() {
        try {
          return { counts: { ...(await followPorts(deps)) } };
        } catch (fault) {
          // A clearing house that is not asked any more has not failed.
          if (isClosing) return { counts: {} };
          throw fault;
        }
      },
    },
    route: webhook && {
      path: webhook.path,
      async take(headers, body) {
        const heard = verifyClearingHouseNotification({ headers, body, secret: webhook.secret, now: clock.now() });
        if (!heard.ok) return heard;
        const { updates, unreadable } = heard.value;
        if (unreadable > 0) log.warn({ unreadable }, "updates of the clearing house could not be read");
        await applyPortUpdates(deps, updates);
        return ok(undefined);
      },
    },
    async carryOn() {
      await followPorts({ ...deps, updatesEveryMs: undefined });
    },
    async close() {
      isClosing = true;
      await gateway.close();
    },
  };
}
