// The route for notifications of the campaign registry.

import { invalid, type Problem, problem } from "../../../../domain/problems.ts";
import type { HttpServer } from "../../core/http-server.ts";
import { mountNotificationRoute, type NotificationRoute } from "../notification-route.ts";

type NotificationRefusal = "unsigned" | "forged" | "unreadable" | "too-large" | "replayed";

const PROBLEMS: Readonly<Record<NotificationRefusal, Problem | undefined>> = {
  unsigned: problem("unauthorized", "A notification is signed in X-Registry-Signature."),
  forged: problem("unauthorized", "The signature is not that of this content at this address."),
  unreadable: invalid({ $: ["This is not a notification of the campaign registry."] }),
  "too-large": problem("body-too-large", "A notification is not that large."),
  // A repeat is answered like the first; otherwise the registry would send it again.
  replayed: undefined,
};

export function mountRegistryRoute(http: HttpServer, route: NotificationRoute<NotificationRefusal>): void {
  mountNotificationRoute(http, route, PROBLEMS);
}
