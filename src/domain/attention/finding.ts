// Findings: what needs attention, described in sentences: what is wrong, why, what to do, and by which operation. A
// fact is what was counted; every cause of facts has its entry in the table.

import { tableOf } from "../../base/table.ts";

export const CAUSES = [
  "SubscriptionOff",
  "DeliveriesFailing",
  "DeliveriesFailed",
  "NumbersNotActive",
  "PortException",
  "PortsWaiting",
  "CampaignNotActive",
  "CampaignsUnassigned",
  "RecordingsFailed",
  "MessagesFailed",
  "FeaturesRequested",
  "LinkDown",
  "LinkStopped",
  "TrunkDown",
  "TrunkStopped",
  "ReconcileFailed",
] as const;
export type Cause = (typeof CAUSES)[number];

export const SEVERITIES = ["Error", "Warning"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const RESOURCE_KINDS = [
  "Subscription",
  "Number",
  "PortOrder",
  "Campaign",
  "Call",
  "Message",
  "FeatureRequest",
  "Link",
  "Trunk",
  "Reconcile",
] as const;

export interface Fact {
  readonly cause: Cause;
  /** Distinguishes findings of one cause. */
  readonly key: string;
  /** Null if it concerns no account, or several. */
  readonly accountSid: string | null;
  readonly count: number;
  readonly firstOn: Date | null;
  readonly lastOn: Date | null;
  /** What it is about: a URL, a status, a name. */
  readonly subject: string;
  readonly reason: string | null;
  /** One of the affected resources, as an example. */
  readonly resourceId: string | null;
}

export interface Finding {
  readonly id: string;
  readonly cause: Cause;
  readonly severity: Severity;
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  readonly count: number;
  readonly firstOn: Date | null;
  readonly lastOn: Date | null;
  readonly operation: Operation | null;
  readonly resource: { readonly kind: (typeof RESOURCE_KINDS)[number]; readonly id: string } | null;
}

export interface Operation {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
}

export type View = "account" | "operator";

interface Entry {
  readonly severity: (fact: Fact) => Severity;
  readonly what: (fact: Fact) => string;
  readonly why: (fact: Fact) => string;
  readonly advice: (fact: Fact, view: View) => string;
  readonly operation: (fact: Fact, view: View) => Operation | null;
  readonly kind: (typeof RESOURCE_KINDS)[number];
}

const always = (severity: Severity) => () => severity;
const counted = (count: number, one: string, many = `${one}s`) => (count === 1 ? `One ${one}` : `${count} ${many}`);
const because = (fallback: string) => (fact: Fact) => fact.reason ?? fallback;
const says = (text: string) => () => text;
/** What the account does about it, and what operators do. */
const advise = (account: string, operator: string) => (_: Fact, view: View) =>
  view === "account" ? account : operator;
const pathOf = (id: string | null) => encodeURIComponent(id ?? "");
const patch = (path: string): Operation => ({ method: "PATCH", path });
const post = (path: string): Operation => ({ method: "POST", path });
/** An operation for the account itself; operators are not shown it. */
const own = (make: (fact: Fact) => Operation) => (fact: Fact, view: View) => (view === "account" ? make(fact) : null);

const NUMBER_ADVICE = tableOf<string>({
  PendingPortIn: "Wait for the port, or look at its order for what holds it up.",
  PendingMessagingConfigAdd: "Give the number a MessagingConfig.",
  PendingTcrCampaignAdd: "Link its MessagingConfig to an active campaign, or wait until the registry has added it.",
  PendingTcrCampaignChange: "Wait until the registry has moved it to its new campaign.",
});

const OPERATOR_NUMBER_ADVICE = tableOf<string>({
  PendingPortIn: "Wait for the port, or look at its order for what holds it up.",
  PendingMessagingConfigAdd: "The account gives the number a MessagingConfig: tell it, if it has forgotten.",
  PendingTcrCampaignAdd:
    "The account links its MessagingConfig to an active campaign; once it has, the registry adds the number.",
  PendingTcrCampaignChange: "Wait until the registry has moved it to its new campaign.",
});

/** What is not done while a reconcile fails, for all accounts. */
const STANDS_STILL = tableOf<string>({
  "activate-numbers": "numbers that have all they need do not become Active",
  "delete-old-records": "messages, calls and events are kept longer than their accounts want",
  "follow-ports": "port orders do not go on",
  "import-campaigns": "campaigns stand as the registry last said",
  "remove-media": "files of deleted messages are kept",
  "remove-recordings": "files of deleted recordings are kept",
});

const ENTRIES: Readonly<Record<Cause, Entry>> = {
  SubscriptionOff: {
    severity: always("Error"),
    what: ({ subject }) => `The subscription at ${subject} is switched off: it gets no events.`,
    why: because("Its receiver failed for too long."),
    advice: advise(
      "Mend the receiver, switch the subscription on again, and replay what failed.",
      "Tell the account: its receiver is to be mended, the subscription switched on, and what failed replayed.",
    ),
    operation: own(({ resourceId }) => patch(`/v1/Webhooks/${pathOf(resourceId)}`)),
    kind: "Subscription",
  },
  DeliveriesFailing: {
    severity: always("Warning"),
    what: ({ subject }) => `The receiver at ${subject} fails.`,
    why: ({ count }) =>
      `No delivery has succeeded since; ${counted(count, "delivery", "deliveries")} will be tried again.`,
    advice: advise(
      "Look at the answer to the last attempt and mend the receiver: deliveries are repeated by themselves.",
      "Look at the answer to the last attempt, and tell the account when it does not mend its receiver.",
    ),
    operation: own(() => ({ method: "GET", path: "/v1/Webhooks/deliveries?Status=Pending" })),
    kind: "Subscription",
  },
  DeliveriesFailed: {
    severity: always("Warning"),
    what: ({ count }) => `${counted(count, "delivery", "deliveries")} of the last day failed for good.`,
    why: says("The receiver answered none of the attempts with success."),
    advice: advise(
      "Replay them when the receiver is well.",
      "The account replays them when its receiver is well: tell it which answers came.",
    ),
    operation: own(() => post("/v1/Webhooks/deliveries/replay")),
    kind: "Subscription",
  },
  NumbersNotActive: {
    severity: ({ subject }) => (subject === "PendingMessagingConfigAdd" ? "Error" : "Warning"),
    what: ({ count, subject }) => `${counted(count, "number is", "numbers are")} ${subject}.`,
    why: because("It cannot send before it is Active."),
    advice: ({ subject }, view) =>
      (view === "account" ? NUMBER_ADVICE : OPERATOR_NUMBER_ADVICE).get(subject) ??
      "Look at the number for what it waits for.",
    operation: own(({ subject, resourceId }) => ({
      method: subject === "PendingMessagingConfigAdd" ? "PATCH" : "GET",
      path: `/v1/Phones/${pathOf(resourceId)}`,
    })),
    kind: "Number",
  },
  PortException: {
    severity: always("Error"),
    what: ({ subject }) => `The port order ${subject} stands still.`,
    why: because("The losing carrier does not let the numbers go."),
    advice: advise(
      "Correct what the losing carrier does not find on record, and send it.",
      "The account corrects what the losing carrier does not find on record: ask it to, or go on by hand.",
    ),
    operation: ({ resourceId }, view) =>
      view === "account"
        ? patch(`/v1/Phones/port-in/${pathOf(resourceId)}`)
        : { method: "GET", path: `/operator/v1/PortOrders/${pathOf(resourceId)}` },
    kind: "PortOrder",
  },
  PortsWaiting: {
    severity: always("Warning"),
    what: ({ count }) => `${counted(count, "port order waits", "port orders wait")} for you.`,
    why: says("No clearing house is connected, so operators carry orders out."),
    advice: says("Take each to the losing carrier, and enter what it says."),
    operation: ({ resourceId }) => ({ method: "GET", path: `/operator/v1/PortOrders/${pathOf(resourceId)}` }),
    kind: "PortOrder",
  },
  CampaignNotActive: {
    severity: always("Error"),
    what: ({ count, subject }) =>
      `${counted(count, "campaign is", "campaigns are")} ${subject}: its numbers cannot send.`,
    why: says("The registry says so."),
    advice: ({ subject }, view) => {
      if (view === "operator")
        return "The account asks the registry; one that is kept by hand can be taken up again here.";
      return subject === "Expired"
        ? "Renew it at the registry."
        : "Ask the registry or the carriers why it was suspended.";
    },
    operation: own(({ resourceId }) => ({ method: "GET", path: `/v1/TcrCampaigns/${pathOf(resourceId)}` })),
    kind: "Campaign",
  },
  CampaignsUnassigned: {
    severity: always("Warning"),
    what: ({ count }) => `${counted(count, "campaign has", "campaigns have")} arrived without a known account.`,
    why: says("No MessagingConfig names it, or those of several accounts do."),
    advice: says("Assign it to the account that it is meant for."),
    operation: ({ resourceId }) => post(`/operator/v1/Campaigns/${pathOf(resourceId)}/assign`),
    kind: "Campaign",
  },
  RecordingsFailed: {
    severity: always("Error"),
    what: ({ count }) => `${counted(count, "recording", "recordings")} of the last week could not be made.`,
    why: because("Its audio could not be written or encoded."),
    advice: advise(
      "The operator can try again what is still on disk.",
      "Mend the reason, such as a full disk, then have the files made again.",
    ),
    operation: ({ resourceId }, view) =>
      view === "account"
        ? { method: "GET", path: `/v1/Voice/Calls/${pathOf(resourceId)}` }
        : { method: "GET", path: "/operator/v1/Recordings" },
    kind: "Call",
  },
  MessagesFailed: {
    severity: ({ count }) => (count >= 10 ? "Error" : "Warning"),
    what: ({ count, subject }) =>
      `${counted(count, "message", "messages")} of the last hour failed with error ${subject}.`,
    why: because("The carrier did not take or not deliver them."),
    advice: says("Read why one of them failed: what can be done stands there."),
    operation: own(({ resourceId }) => ({ method: "GET", path: `/v1/OutboundMessages/${pathOf(resourceId)}/why` })),
    kind: "Message",
  },
  FeaturesRequested: {
    severity: always("Warning"),
    what: ({ count, subject }) => `${counted(count, "account asks", "accounts ask")} for ${subject}.`,
    why: says("It works once an operator has granted it."),
    advice: says("Grant or decline it."),
    operation: ({ resourceId }) => patch(`/operator/v1/FeatureRequests/${pathOf(resourceId)}`),
    kind: "FeatureRequest",
  },
  LinkDown: {
    severity: always("Error"),
    what: ({ subject }) => `The carrier link ${subject} is down: messages take other links, or wait.`,
    why: because("It is not bound."),
    advice: says("Look at the carrier's side; it is connected again by itself."),
    operation: () => ({ method: "GET", path: "/operator/v1/Links" }),
    kind: "Link",
  },
  LinkStopped: {
    severity: always("Warning"),
    what: ({ subject }) => `The carrier link ${subject} is stopped.`,
    why: because("An operator has stopped it."),
    advice: says("Start it when it may send again."),
    operation: ({ resourceId }) => post(`/operator/v1/Links/${pathOf(resourceId)}/start`),
    kind: "Link",
  },
  TrunkDown: {
    severity: always("Error"),
    what: ({ subject }) => `The trunk ${subject} does not answer: calls take other trunks, or fail.`,
    why: because("It does not answer."),
    advice: says("Look at the carrier's side; it is asked again by itself."),
    operation: () => ({ method: "GET", path: "/operator/v1/Trunks" }),
    kind: "Trunk",
  },
  TrunkStopped: {
    severity: always("Warning"),
    what: ({ subject }) => `The trunk ${subject} is stopped.`,
    why: because("An operator has stopped it."),
    advice: says("Start it when it may take calls again."),
    operation: ({ resourceId }) => post(`/operator/v1/Trunks/${pathOf(resourceId)}/start`),
    kind: "Trunk",
  },
  ReconcileFailed: {
    severity: always("Warning"),
    what: ({ subject }) => `The last run of ${subject} failed: ${STANDS_STILL.get(subject) ?? "its work waits"}.`,
    why: because("It says no more."),
    advice: says("It runs again by itself; read the server's log when it goes on failing."),
    operation: () => ({ method: "GET", path: "/operator/v1/Reconciles" }),
    kind: "Reconcile",
  },
};

export function findingOf(fact: Fact, view: View): Finding {
  const { cause, key, count, firstOn, lastOn, resourceId } = fact;
  const entry = ENTRIES[cause];
  return {
    id: key === "" ? cause : `${cause}:${key}`,
    cause,
    severity: entry.severity(fact),
    what: entry.what(fact),
    why: entry.why(fact),
    advice: entry.advice(fact, view),
    count,
    firstOn,
    lastOn,
    operation: entry.operation(fact, view),
    resource: resourceId === null ? null : { kind: entry.kind, id: resourceId },
  };
}

/** What stands still for all accounts, not for one. */
const OF_THE_SERVICE: ReadonlySet<Cause> = new Set([
  "LinkDown",
  "TrunkDown",
  "ReconcileFailed",
  "LinkStopped",
  "TrunkStopped",
]);
/** What may be of one account, which it then names, or of several. */
const OF_ANY_NUMBER: ReadonlySet<Cause> = new Set(["MessagesFailed", "RecordingsFailed"]);

type Ranked = Finding & { readonly accountSid?: string | null };

function isOfMany({ cause, accountSid }: Ranked): boolean {
  return OF_THE_SERVICE.has(cause) || (OF_ANY_NUMBER.has(cause) && accountSid === null);
}

/**
 * What stops all or several accounts before what stops one, however serious that is to it; then errors first, those
 * of the service before others, the newest first.
 */
export function sortFindings<Item extends Ranked>(findings: readonly Item[]): readonly Item[] {
  const newness = ({ lastOn }: Finding) => lastOn?.getTime() ?? 0;
  return findings.toSorted(
    (one, other) =>
      Number(isOfMany(other)) - Number(isOfMany(one)) ||
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      Number(OF_THE_SERVICE.has(other.cause)) - Number(OF_THE_SERVICE.has(one.cause)) ||
      newness(other) - newness(one),
  );
}
