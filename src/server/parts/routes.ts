// The routes of the configuration, with the state of their links and trunks.

import {
  type OperatorRouteDeps,
  operatorRouteOperations,
} from "../../adapters/http/routes/operations/operator-routes.ts";
import { describeRoutes, type RouteRule } from "../../domain/messaging/index.ts";
import { type Api, type Context, type Part, servedApi } from "../running/part.ts";
import type { MessagingPart } from "./messaging.ts";
import { linksOf } from "./sending.ts";
import type { VoicePart } from "./voice.ts";

export const routesApi: Api<OperatorRouteDeps> = { operator: operatorRouteOperations };

export function openRoutes({ config, outside }: Context, { links }: MessagingPart, { trunks }: VoicePart): Part {
  const configured = outside.sip?.trunks.map(({ name, priority, outbound }) => ({ name, priority, outbound })) ?? [];
  const named = ({ name, priority }: { readonly name: string; readonly priority: number }) => ({ name, priority });
  const emergency = configured.find(({ name }) => name === outside.sip?.emergencyTrunk);
  const deps: OperatorRouteDeps = {
    links,
    trunks,
    messageRoutes: describeRoutes(config.file.routes as readonly RouteRule[], linksOf(outside.carriers)),
    callTrunks: configured.filter(({ outbound }) => outbound).map(named),
    emergencyTrunk: emergency && named(emergency),
  };
  return { name: "routes", operations: servedApi(routesApi, deps) };
}
