// What Twilio's clients may request and this server does not serve. The answer is Twilio's answer for what does not
// exist, with a sentence that names what was requested and the list of what is served.
//
// Paths alone are not enough: `/v1/Events` is ours, and also belongs to Twilio's Monitor. So every request of an
// official client counts as meant for Twilio, and of other clients those for paths that only Twilio has.

import { type Problem, problem } from "../../domain/problems.ts";
import type { Exchange } from "../http/core/exchange.ts";
import type { HttpServer } from "../http/core/http-server.ts";
import { TWILIO_TAG } from "./operation.ts";
import { showTwilioProblem } from "./problem.ts";

/** By product and version, the first segments of its paths after the version. */
export const PRODUCTS: Readonly<Record<string, string>> = {
  "Accounts v1": "AuthTokens Consents Contacts Credentials Messaging SafeList",
  "Bulk Exports v1": "Exports",
  "Content v1": "Content ContentAndApprovals LegacyContent",
  "Content v2": "Content ContentAndApprovals",
  "Conversational Intelligence v2": "OperatorTypes Operators Services Transcripts",
  "Conversational Intelligence v3": "ControlPlane Conversations OperatorResults RuleExecutions",
  "Conversations v1":
    "Configuration ConversationWithParticipants Conversations Credentials ParticipantConversations Roles Services Users",
  "Conversations v2": "ControlPlane Conversations",
  "Elastic SIP Trunking v1": "Trunks",
  "Events v1": "Schemas Sinks Subscriptions Types",
  "Flex v1": "Channels Configuration FlexFlows Insights Interactions PluginService WebChannels account",
  "Flex v2": "Instances WebChats",
  "Frontline v1": "Users",
  "IAM v1": "Account Keys Roles authorize token",
  "IP Messaging v1": "Credentials Services",
  "IP Messaging v2": "Credentials Services",
  "Knowledge v1": "Knowledge",
  "Knowledge v2": "ControlPlane KnowledgeBases",
  "Lookups v1": "PhoneNumbers",
  "Marketplace v1": "AvailableAddOns InstalledAddOns Listing Listings ReferralConversion",
  "Memory v1": "ControlPlane Stores",
  "Messaging v1": "Deactivations LinkShortening Services Tollfree a2p",
  "Messaging v2": "Channels Indicators LinkShortening",
  "Messaging v3": "Indicators",
  "Monitor v1": "Alerts Events",
  "Notify v1": "Credentials Services",
  "Numbers v1": "CallerIds HostedNumber Porting SenderIdRegistrations SigningRequest",
  "Numbers v2": "HostedNumber RegulatoryCompliance ShortCodes",
  "Numbers v3": "HostedNumbers",
  "OAuth v1": "authorize token",
  "OAuth v2": "authorize oauth-authorization-server token",
  "Pricing v1": "Messaging PhoneNumbers Voice",
  "Pricing v2": "Trunking Voice",
  "Programmable Chat v1": "Credentials Services",
  "Programmable Chat v2": "Credentials Services",
  "Programmable Chat v3": "Services",
  "Proxy v1": "Services",
  "Routes v2": "PhoneNumbers SipDomains Trunks",
  "Routes v3": "PhoneNumbers",
  "Serverless v1": "Services",
  "Studio v1": "Flows",
  "Studio v2": "Flows",
  "Super SIM v1":
    "ESimProfiles Fleets IpCommands NetworkAccessProfiles Networks SettingsUpdates Sims SmsCommands UsageRecords",
  "Sync v1": "Services",
  "TaskRouter v1": "Workspaces",
  "Trust Hub v1":
    "A2PBrandRegistrations A2PCampaignRegistrations ComplianceInquiries CustomerProfiles EndUserTypes EndUsers Policies SupportingDocumentTypes SupportingDocuments TrustProducts",
  "Verify v2": "Attempts Forms SafeList Services Templates",
  "Video v1": "CompositionHooks CompositionSettings Compositions RecordingSettings Recordings Rooms",
  "Voice Insights v1": "Conferences Video Voice",
  "Voice Insights v2": "Voice",
  "Voice Insights v3": "ControlPlane InsightsDomains",
  "Voice v1": "Archives ByocTrunks ConnectionPolicies DialingPermissions IpRecords SourceIpMappings",
  "Voice v2": "AccountDefaultConfiguration Configurations",
  "Voice v3": "Transcriptions",
  "Wireless v1": "Commands RatePlans Sims UsageRecords",
};

/** `/v1/services` → the products that have it. */
const BY_PATH = new Map<string, readonly string[]>();
for (const [product, parts] of Object.entries(PRODUCTS)) {
  const version = product.split(" ").at(-1) ?? "";
  for (const part of parts.split(" ")) {
    const path = `/${version}/${part}`.toLowerCase();
    BY_PATH.set(path, [...(BY_PATH.get(path) ?? []), product]);
  }
}

/** Paths of ours that a product has, too: these count as Twilio's only for its clients. */
const OURS = ["/v1/account", "/v1/events", "/v1/voice"];
for (const path of OURS) BY_PATH.delete(path);

/** Below these, only operations in Twilio's shape are ours. */
const OTHER_VERSIONS = /^\/(2010-04-01|v2|v3)\//;
/** All official clients identify themselves this way: twilio-node/6.0.0, twilio-python/9.0.0. */
const CLIENT = /^twilio-[a-z]+\//i;

function isTheirClient({ headers }: Exchange): boolean {
  return CLIENT.test(headers["user-agent"] ?? "");
}

/** Without the query, and without an extension. */
function placeOf({ url }: Pick<Exchange, "url">): string {
  const [, version = "", part = ""] = (url.split("?", 1)[0] ?? "").toLowerCase().split("/");
  return `/${version}/${part.replace(/\.json$/, "")}`;
}

/** Whether a client of Twilio's API reads the refusal. */
function isTheirs(exchange: Exchange): boolean {
  if (isTheirClient(exchange)) return true;
  const place = placeOf(exchange);
  const { operation } = exchange;
  if (operation) return operation.tag === TWILIO_TAG;
  return OTHER_VERSIONS.test(place) || BY_PATH.has(place);
}

/** Resources that look like the sid of another. */
const SHADOWED = /\/incomingphonenumbers\/(local|mobile|tollfree)\.json(\?|$)/i;

function isTwilioOperation({ url, operation }: Exchange): boolean {
  return operation?.tag === TWILIO_TAG && !SHADOWED.test(url);
}

function notServed({ method, url }: Pick<Exchange, "method" | "url">): Problem {
  const path = (url.split("?", 1)[0] ?? "").slice(0, 200);
  const products = BY_PATH.get(placeOf({ url })) ?? ["that provider's API"];
  const what = `${method} ${path} (${products.join(", ")})`;
  return problem("not-found", `${what} is not served here: docs/twilio-api.md lists what is.`);
}

/** Refuses what is not served, and shows refusals in Twilio's shape. */
export function mountTwilioRefusals(http: HttpServer): void {
  http.problemShapes.push({ fits: isTheirs, show: showTwilioProblem });
  http.refuseWhere((exchange) =>
    isTheirs(exchange) && !isTwilioOperation(exchange) ? notServed(exchange) : undefined,
  );
}
