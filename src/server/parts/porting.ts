// Porting with everything it needs: the gateway to whoever carries orders out, the reconcile that follows them, and the
// door that notifications come through.

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
import { portQueue } from "../../adapters/store/porting/port-queue.ts";
import { ok } from "../../base/result.ts";
import { applyPortUpdates, type FollowDeps, followPorts } from "../../domain/porting/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import { reconcileTask } from "../running/reconcile.ts";

export const portingApi: Api<PortInRouteDeps> = { account: portInOperations(), operator: operatorPortOperations() };

export interface PortingPart extends Part {
  /** Carries on what waits, without waiting for the next pass. */
  carryOn(): Promise<void>;
}

/** What waits is looked for so often; the clearing house is asked for updates more rarely. */
const LOOK_MS = 1_000;

export function openPorting(context: Context, lookups: Lookups): PortingPart {
  const { config, outside, store, box, clock, ids, log } = context;
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
  let isClosing = false;
  const close = () => {
    isClosing = true;
    return gateway.close();
  };
  const follow = async () => {
    try {
      return { counts: { ...(await followPorts(deps)) } };
    } catch (fault) {
      // A clearing house that is not asked any more has not failed.
      if (isClosing) return { counts: {} };
      throw fault;
    }
  };
  return {
    operations: servedApi(portingApi, {
      ids,
      lookups,
      checkDocument,
      makeLetter: (letter) => makeLoa({ ...letter, newCarrier: settings.TANDEM_CARRIER_NAME }),
      supportContact: settings.TANDEM_SUPPORT_CONTACT,
    }),
    routes: (app) => {
      if (webhook) mountClearingHouseRoute(app, notificationRoute(deps, webhook));
    },
    work: () => ({
      tasks: [reconcileTask(context, { name: "follow-ports", everyMs: LOOK_MS, run: follow, cancel: close })],
    }),
    async carryOn() {
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
      const heard = verifyClearingHouseNotification({ headers, body, secret, now: deps.clock.now() });
      if (!heard.ok) return heard;
      const { updates, unreadable } = heard.value;
      if (unreadable > 0) deps.log.warn({ unreadable }, "updates of the clearing house could not be read");
      await applyPortUpdates(deps, updates);
      return ok(undefined);
    },
  };
}
