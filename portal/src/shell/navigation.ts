// All destinations and their keys: the navigation, the palette and the shortcuts are made from this table.

import type { IconName } from "../components/icon.tsx";

export interface Destination {
  readonly to: string;
  readonly label: string;
  /** Shown on a tab on a phone. */
  readonly short?: string;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key?: string;
  /** Other addresses that belong to it, in addition to those below `to`. */
  readonly also?: string;
  /** The noun whose "needs attention" findings are counted beside it. */
  readonly noun?: string;
}

export interface Group {
  readonly title: string;
  readonly destinations: readonly Destination[];
}

export const ACCOUNT_GROUPS: readonly Group[] = [
  {
    title: "",
    destinations: [
      { to: "/", label: "Home", icon: "home", key: "h" },
      { to: "/log", label: "Live log", short: "Log", icon: "log", key: "l" },
    ],
  },
  {
    title: "Traffic",
    destinations: [
      { to: "/messages", label: "Messages", icon: "message", key: "m", noun: "Message" },
      { to: "/calls", label: "Calls", icon: "call", key: "c", noun: "Call" },
      { to: "/conferences", label: "Conferences", icon: "people", key: "b" },
      { to: "/webhooks", label: "Webhooks", icon: "webhook", key: "w", noun: "Webhook" },
      { to: "/statistics", label: "Statistics", icon: "chart", key: "t" },
    ],
  },
  {
    title: "Numbers",
    destinations: [
      { to: "/numbers", label: "Numbers", icon: "number", key: "n", noun: "Phone" },
      { to: "/configs", label: "MessagingConfigs", icon: "filter", key: "f" },
      { to: "/opt-outs", label: "Opt-outs", icon: "hangup", key: "o" },
      { to: "/lookup", label: "Lookup", icon: "lookup", key: "u" },
      { to: "/campaigns", label: "Campaigns", icon: "campaign", key: "p", also: "/migrations", noun: "Campaign" },
    ],
  },
  {
    title: "Build",
    destinations: [
      { to: "/sandbox", label: "Sandbox", icon: "phone", key: "s" },
      { to: "/api", label: "API explorer", icon: "api", key: "e" },
      { to: "/account", label: "Account", icon: "account", key: "a" },
    ],
  },
];

export const OPERATOR_GROUPS: readonly Group[] = [
  {
    title: "",
    destinations: [
      { to: "/", label: "Overview", icon: "home", key: "h" },
      { to: "/log", label: "Live log", short: "Log", icon: "log", key: "l" },
    ],
  },
  {
    title: "Network",
    destinations: [
      { to: "/operator/links", label: "Links", icon: "links", key: "k", noun: "Link" },
      { to: "/operator/routes", label: "Routes", icon: "route", key: "r" },
      { to: "/operator/inventory", label: "Inventory", icon: "box", key: "i" },
      { to: "/operator/overrides", label: "Lookup overrides", icon: "lookup", key: "u" },
    ],
  },
  {
    title: "Customers",
    destinations: [
      { to: "/operator/accounts", label: "Accounts", icon: "people", key: "a", noun: "FeatureRequest" },
      { to: "/operator/ports", label: "Port orders", short: "Ports", icon: "port", key: "o", noun: "PortOrder" },
      { to: "/operator/campaigns", label: "Campaigns", icon: "campaign", key: "p", noun: "Campaign" },
    ],
  },
  {
    title: "System",
    destinations: [
      { to: "/operator/nodes", label: "Nodes", icon: "node", key: "n" },
      { to: "/operator/recordings", label: "Recordings", icon: "mic", key: "m" },
      { to: "/operator/tokens", label: "Operator tokens", icon: "account", key: "t" },
      { to: "/operator/audit", label: "Audit log", icon: "audit", key: "d" },
    ],
  },
];

/** At the bottom on a phone; the rest is behind More. */
export const ACCOUNT_TABS = ["/", "/log", "/messages", "/calls"];
export const OPERATOR_TABS = ["/", "/log", "/operator/links", "/operator/ports"];

export function isWithin({ to, also }: Destination, path: string): boolean {
  if (to === "/") return path === "/";
  return [to, also].some((root) => root !== undefined && (path === root || path.startsWith(`${root}/`)));
}
