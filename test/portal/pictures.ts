// Every route of the portal, and the screenshots of artefacts/portal that show it. A journey takes a screenshot in both
// widths and both themes; pictures.test.ts compares this table with the router and with the journeys.

export const PICTURES: Readonly<Record<string, readonly string[]>> = {
  "/sign-in": ["sign-in"],
  "/": ["first-run", "first-number", "home", "operator-overview", "operator-found"],
  "/log": ["log", "log-joined", "operator-log"],
  "/more": ["more"],
  "/support/$sid": ["support-link"],
  "/views": ["views", "operator-views"],
  "/requests/$id": ["operator-request"],
  "/messages": ["messages"],
  "/messages/$id": ["conversation", "conversation-two", "message-why"],
  "/search": ["search"],
  "/calls": ["calls", "call-place"],
  "/calls/$sid": ["call", "call-busy", "call-program"],
  "/conferences": ["conferences"],
  "/conferences/$sid": ["conference", "conference-ended"],
  "/webhooks": ["webhooks"],
  "/webhooks/deliveries": ["deliveries"],
  "/webhooks/$sid": ["webhook"],
  "/webhooks/deliveries/$sid": ["delivery"],
  "/statistics": ["statistics"],
  "/numbers": ["numbers"],
  "/numbers/$number": ["number"],
  "/configs": ["configs"],
  "/configs/$sid": ["config", "config-new"],
  "/opt-outs": ["opt-outs"],
  "/lookup": ["lookup", "lookup-csv"],
  "/campaigns": ["campaigns", "campaign-move"],
  "/migrations/$campaign": ["migration", "migration-blocked"],
  "/sandbox": ["sandbox", "phone-ringing", "phone-talking"],
  "/api": ["api"],
  "/api/$operation": ["api-operation"],
  "/account/changes": ["changes"],
  "/account": ["account", "account-tokens"],
  "/operator/links": ["operator-links"],
  "/operator/nodes": ["operator-nodes"],
  "/operator/routes": ["operator-routes"],
  "/operator/inventory": ["operator-inventory"],
  "/operator/overrides": ["operator-overrides"],
  "/operator/accounts": ["operator-accounts-support"],
  "/operator/accounts/$sid": [
    "operator-account",
    "operator-account-support",
    "support-messages",
    "support-attention",
    "support-traffic",
    "support-opt-outs",
    "support-config",
    "support-migration",
    "support-sip",
  ],
  "/operator/ports": ["operator-ports"],
  "/operator/ports/$sid": ["operator-port"],
  "/operator/campaigns": ["operator-campaigns"],
  "/operator/tokens": ["operator-tokens"],
  "/operator/recordings": ["operator-recordings"],
  "/operator/audit": ["operator-audit"],
};

/** Whether a screenshot of that name may show that page; names that are not in the table may show any. */
export function isPictureOf(name: string, pathname: string): boolean {
  const route = Object.keys(PICTURES).find((known) => PICTURES[known]?.includes(name));
  if (route === undefined) return true;
  return new RegExp(`^${route.replace(/\$\w+/g, "[^/]+")}$`).test(pathname);
}
