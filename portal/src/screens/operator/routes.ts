// The routes of the config file, and the lines of the patch panel.

import type { Route, RouteWay } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";

const EVERY_MS = 5000;

export const routesQuery = {
  ...itemsQuery(["links", "routes"], (options) => operator.routes.list(options)),
  refetchInterval: EVERY_MS,
};

export const KIND_WORDS: Readonly<Record<Route["kind"], string>> = { sms: "texts", mms: "MMS", voice: "calls" };

/** The prefix of the numbers that it matches: `+44`, `*`. */
export function headOf({ destinations, name }: Route): string {
  const [first = "*", ...rest] = destinations;
  if (name === "emergency") return "911";
  return rest.length === 0 ? first : `${first} …`;
}

const listed = (values: readonly string[]) => (values.length > 2 ? `${values.length} of them` : values.join(", "));

/** The other conditions of the route. */
export function conditionOf({ name, senders, carriers, destinations }: Route): string {
  if (name === "emergency") return "emergency calls";
  const said = [
    ...(senders.length === 0 ? [] : [`from ${listed(senders)}`]),
    ...(carriers.length === 0 ? [] : [`to ${listed(carriers)}`]),
  ];
  if (said.length > 0) return said.join(", ");
  return destinations.length > 0 ? "any sender" : name === "any" ? "anywhere else" : "anywhere";
}

export const keyOf = ({ name, kind }: Route) => `${name} ${kind}`;

/** As in `ways.ts`. */
export const wayIdOf = ({ kind }: Route, { name }: RouteWay) => `${kind === "voice" ? "trunk" : "link"} ${name}`;

export const percent = (share: number) => `${Math.round(share * 100)} %`;

/** "acme-east 70 %, now 100 %" */
export function wayWords({ name, share, shareNow, state, isUp }: RouteWay): string {
  const usual = share === 0 ? "fallback" : percent(share);
  const now = shareNow === share ? "" : `, now ${percent(shareNow)}`;
  return `${name} ${usual}${now}${isUp === false ? `, ${state}` : ""}`;
}

export interface PanelLine {
  readonly key: string;
  readonly path: string;
  readonly state: "share" | "sub" | "cut";
  readonly width: number;
  /** On the line, if the route has several. */
  readonly label: string | undefined;
  /** Position of the label: left in percent, top in pixels. */
  readonly at: readonly [number, number];
}

export const ROW_PX = 40;
export const PANEL_WIDTH = 400;
const SAG_PX = 14;
/**
 * Position of a label on its line; it alternates between routes, so that labels of lines to one link do not overlap.
 */
const LABELS_AT = [0.78, 0.62, 0.46];
const WIDTH_MAX = 5;

const middleOf = (row: number) => row * ROW_PX + ROW_PX / 2;

function bezier([a, b, c, d]: readonly [number, number, number, number], t: number): number {
  const u = 1 - t;
  return u ** 3 * a + 3 * u ** 2 * t * b + 3 * u * t ** 2 * c + t ** 3 * d;
}

function lineOf(route: Route, way: RouteWay, rows: readonly [number, number]): PanelLine {
  const [from, to] = [middleOf(rows[0]), middleOf(rows[1])];
  const isShared = route.ways.length > 1 && way.share > 0;
  const [x1, x2] = [PANEL_WIDTH * 0.38, PANEL_WIDTH * 0.62];
  const labelAt = LABELS_AT[rows[0] % LABELS_AT.length] ?? 0.5;
  const left = (bezier([0, x1, x2, PANEL_WIDTH], labelAt) / PANEL_WIDTH) * 100;
  return {
    key: `${keyOf(route)} ${way.name}`,
    path: `M0 ${from} C${x1} ${from + SAG_PX} ${x2} ${to + SAG_PX} ${PANEL_WIDTH} ${to}`,
    state: way.isUp === false ? "cut" : way.share === 0 ? "sub" : "share",
    width: Math.max(2, WIDTH_MAX * (way.isUp === false ? way.share : way.shareNow)),
    label: isShared ? percent(way.share) : undefined,
    at: [left, bezier([from, from + SAG_PX, to + SAG_PX, to], labelAt)],
  };
}

/** The lines between the rows of routes and those of links; a line to a link that is not shown is left out. */
export function linesOf(routes: readonly Route[], wayIds: readonly string[]): readonly PanelLine[] {
  return routes.flatMap((route, from) =>
    route.ways.flatMap((way) => {
      const to = wayIds.indexOf(wayIdOf(route, way));
      return to < 0 ? [] : [lineOf(route, way, [from, to])];
    }),
  );
}
