// Porting: the gateway that processes orders, the reconcile that follows them, and the route for its notifications.

import { verifyClearingHouseNotification } from "../../adapters/clearing-house/notification.ts";
import { makePorting } from "../../adapters/clearing-house/porting-settings.ts";
import { checkDocument } from "../../adapters/documents/check-document.ts";
import { makeLoa } from "../../adapters/documents/make-loa.ts";
import type { Lookups } from "../../adapters/http/routes/lookup/lookup.ts";
import {
  type ClearingHouseRoute,
  mountClearingHouseRoute,
} from "../../adapters/http/routes/porting/clearing-house-route.ts";
import { operatorPortOperations } from "../../adapters/http/routes/porting/operator-ports.ts";
import { type PortInRouteDeps, portInOperations } from "../../adapters/http/routes/porting/port-in.ts";
import { hasPortWork, portQueue } from "../../adapters/store/porting/port-queue.ts";
import { ok } from "../../base/result.ts";
import { applyPortUpdates, type FollowDeps, followPorts } from "../../domain/porting/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

export const portingApi: Api<PortInRouteDeps> = { account: portInOperations, operator: operatorPortOperations };

export interface PortingPart extends Part {
  /** Sends waiting orders to the gateway now, before the next run of the task. */
  sendWaiting(): Promise<void>;
}

const FOLLOW_MS = 60_000;

export function openPorting(context: Context, lookups: Lookups): PortingPart {
  const { config, outside, store, box, clock, ids, log, supportContact } = context;
  const { settings, secret } = config;
  const { gateway, webhook, pollSeconds } = makePorting(outside.porting, { secret, clock, log });
  const deps: FollowDeps = {
    gateway,
    queue: portQueue(store.db, box, clock),
    transaction: store.transaction,
    clock,
    log,
    updatesEveryMs: pollSeconds === undefined ? undefined : pollSeconds * 1000,
  };
  const close = () => gateway.close();
  const run = async () => ({ counts: { ...(await followPorts(deps)) } });
  return {
    name: "porting",
    operations: servedApi(portingApi, {
      ids,
      lookups,
      checkDocument,
      makeLetter: (letter) => makeLoa({ ...letter, newCarrier: settings.TANDEM_CARRIER_NAME }),
      supportContact,
    }),
    routes: (http) => {
      if (webhook) mountClearingHouseRoute(http, notificationRoute(deps, webhook));
    },
    workerTasks: [
      reconcileTask(context, {
        name: "follow-ports",
        everyMs: FOLLOW_MS,
        when: hasPortWork(() => clock.now(), pollSeconds !== undefined),
        run,
        cancel: close,
      }),
    ],
    async sendWaiting() {
      await followPorts({ ...deps, updatesEveryMs: undefined });
    },
    close,
  };
}

function notificationRoute(
  deps: FollowDeps,
  { path, secret }: { readonly path: string; readonly secret: string },
): ClearingHouseRoute {
  return {
    path,
    async take(headers, body) {
      const verified = verifyClearingHouseNotification({ headers, body, secret, now: deps.clock.now() });
      if (!verified.ok) return verified;
      const { updates, unreadable } = verified.value;
      if (unreadable > 0) deps.log.warn({ unreadable }, "updates of the clearing house could not be read");
      await applyPortUpdates(deps, updates);
      return ok(undefined);
    },
  };
}
