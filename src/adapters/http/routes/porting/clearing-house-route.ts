// The route for notifications of the port clearing house. A repeat changes nothing.

import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import type { HttpServer } from "../../core/http-server.ts";
import { mountNotificationRoute, type NotificationRoute } from "../notification-route.ts";

type HouseNotificationFault = "missing-header" | "too-old" | "too-new" | "no-match" | "bad-body";

export type ClearingHouseRoute = NotificationRoute<HouseNotificationFault>;

const PROBLEMS: Readonly<Record<HouseNotificationFault, Problem>> = {
  "missing-header": problem("unauthorized", "A notification is signed, and says when."),
  "no-match": problem("unauthorized", "The signature is not that of this content."),
  "too-old": problem("unauthorized", "The notification is too old."),
  "too-new": problem("unauthorized", "The notification is of a time to come."),
  "bad-body": invalid({ $: ["This is not a notification of the clearing house."] }),
};

export function mountClearingHouseRoute(http: HttpServer, route: ClearingHouseRoute): void {
  mountNotificationRoute(http, route, PROBLEMS);
}
