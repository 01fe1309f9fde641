// `tandem operator features`, `limits` and `countries`: what an account may.

import { type Command, InvalidArgumentError } from "commander";
import {
  type AccountChange,
  FEATURE_REQUEST_STATUSES,
  FEATURES,
  type Feature,
  type FeatureRequest,
  type FeatureRequestStatus,
  type Limit,
} from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printFields, printResult, printTable } from "../../output.ts";
import { limitFields } from "../account.ts";
import { changeAccount } from "./accounts.ts";

const FEATURES_HELP = `
Examples:
  tandem operator features on AC01935f1e4c7b7000a3c41f0e5d9b2a17 voice
  tandem operator features requests --status Open
  tandem operator features grant FR01935f1e4c7b7000a3c41f0e5d9b2a17
`;

export function addFeaturesCommand(operator: Command): void {
  const features = operator
    .command("features")
    .summary("what accounts may use, and what they ask for")
    .description("What accounts may use, and what they ask for.")
    .addHelpText("after", FEATURES_HELP);
  addSwitchCommands(features);
  addRequestsCommand(features);
  addDecisionCommands(features);
}

function addSwitchCommands(features: Command): void {
  for (const [name, word] of [
    ["on", "Switch features of an account on."],
    ["off", "Switch features of an account off."],
  ] as const) {
    const command = features
      .command(name)
      .description(word)
      .argument("<sid>", "the account")
      .argument("<feature...>", FEATURES.join(", "), collectFeatures)
      .option("--json", "print JSON");
    addOperatorOptions(command).action(async (sid: string, named: readonly Feature[], flags: OperatorCallFlags) => {
      const { data } = await operatorClientOf(flags).accounts.get(sid);
      const others = data.features.filter((feature) => !named.includes(feature));
      await changeAccount(sid, { features: name === "on" ? [...others, ...named] : others }, flags);
    });
  }
}

const collectFeatures = Object.assign(
  (text: string, before: readonly Feature[] = []): readonly Feature[] => [...before, oneOf(FEATURES)(text)],
  { words: FEATURES },
);

function addRequestsCommand(features: Command): void {
  const command = features
    .command("requests")
    .description("List what accounts have asked for.")
    .option("--status <status>", FEATURE_REQUEST_STATUSES.join(", "), oneOf(FEATURE_REQUEST_STATUSES))
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (flags: OperatorCallFlags & { readonly status?: FeatureRequestStatus }) => {
    const client = operatorClientOf(flags);
    const filters = given({ status: flags.status });
    const items = await gatherPages((page) => client.featureRequests.list({ ...filters, ...page }));
    printResult(items, flags, printRequests);
  });
}

function printRequests(items: readonly FeatureRequest[]): void {
  printTable(
    ["Sid", "Account", "Feature", "Status", "Asked for", "Decided"],
    items.map((item) => [item.sid, item.accountSid, item.feature, item.status, item.createdOn, item.decidedOn ?? "-"]),
  );
}

function addDecisionCommands(features: Command): void {
  for (const [name, status, description] of [
    ["grant", "Granted", "Grant a request: the feature is switched on."],
    ["decline", "Declined", "Decline a request."],
  ] as const) {
    const command = features
      .command(name)
      .description(description)
      .argument("<sid>", "the request")
      .option("--json", "print JSON");
    addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags) => {
      const { data } = await operatorClientOf(flags).featureRequests.decide(sid, status);
      printResult(data, flags, () => printRequests([data]));
    });
  }
}

type LimitChanges = NonNullable<AccountChange["limits"]>;
const LIMIT_CLASSES = [
  "lookup",
  "lookupBatch",
  "send",
  "sendToRecipient",
  "read",
  "write",
  "call",
  "concurrentCalls",
] as const satisfies readonly (keyof LimitChanges)[];
const SECONDS_MAX = 86_400;

const LIMITS_HELP = `
Examples:
  tandem operator limits set AC01935f1e4c7b7000a3c41f0e5d9b2a17 send=200/10 read=50/1
  tandem operator limits set AC01935f1e4c7b7000a3c41f0e5d9b2a17 concurrentCalls=30
`;

export function addLimitsCommand(operator: Command): void {
  const limits = operator
    .command("limits")
    .summary("how much accounts may ask for")
    .description("How much an account may ask for, in which time.")
    .addHelpText("after", LIMITS_HELP);
  const show = limits
    .command("show")
    .description("Show the limits of an account.")
    .argument("<sid>", "the account")
    .option("--json", "print JSON");
  addOperatorOptions(show).action(async (sid: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).accounts.get(sid);
    printResult(data.limits, flags, (each) => printFields(limitFields(each)));
  });
  const set = limits
    .command("set")
    .description("Set limits of an account; others stay as they are.")
    .argument("<sid>", "the account")
    .argument("<limit...>", `CLASS=REQUESTS/SECONDS; a class is one of ${LIMIT_CLASSES.join(", ")}`, collectLimits)
    .option("--json", "print JSON");
  addOperatorOptions(set).action(async (sid: string, changed: LimitChanges, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).accounts.change(sid, { limits: changed });
    printResult(data.limits, flags, (each) => printFields(limitFields(each)));
  });
}

export function collectLimits(text: string, before: LimitChanges = {}): LimitChanges {
  const [, name = "", requests = "", seconds] = /^(\w+)=(\d{1,10})(?:\/(\d{1,5}))?$/.exec(text) ?? [];
  const known = LIMIT_CLASSES.find((each) => each.toLowerCase() === name.toLowerCase());
  // How many calls may be under way has no window.
  const windowSeconds = Number(seconds ?? (known === "concurrentCalls" ? 1 : Number.NaN));
  if (known === undefined || !(windowSeconds >= 1 && windowSeconds <= SECONDS_MAX)) {
    throw new InvalidArgumentError(`send=200/10 is 200 in 10 s; there are ${LIMIT_CLASSES.join(", ")}.`);
  }
  const limit: Limit = { requests: Number(requests), windowSeconds };
  return { ...before, [known]: limit };
}

const COUNTRIES_HELP = `
Examples:
  tandem operator countries set AC01935f1e4c7b7000a3c41f0e5d9b2a17 US CA GB
  tandem operator countries set AC01935f1e4c7b7000a3c41f0e5d9b2a17 own
`;

export function addCountriesCommand(operator: Command): void {
  const countries = operator
    .command("countries")
    .summary("where accounts may send and call to")
    .description("The countries that an account may send and call to.")
    .addHelpText("after", COUNTRIES_HELP);
  const show = countries
    .command("show")
    .description("Show the countries of an account.")
    .argument("<sid>", "the account")
    .option("--json", "print JSON");
  addOperatorOptions(show).action(async (sid: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).accounts.get(sid);
    printResult(data.allowedCountries, flags, printCountries);
  });
  const set = countries
    .command("set")
    .description("Set the countries of an account.")
    .argument("<sid>", "the account")
    .argument("<countries...>", "US CA GB, or own: those of its own numbers", collectCountries)
    .option("--json", "print JSON");
  addOperatorOptions(set).action(async (sid: string, named: readonly string[], flags: OperatorCallFlags) => {
    const allowedCountries = named.includes("OWN") ? null : named;
    const { data } = await operatorClientOf(flags).accounts.change(sid, { allowedCountries });
    printResult(data.allowedCountries, flags, printCountries);
  });
}

function printCountries(countries: readonly string[] | null): void {
  printFields({ Countries: countries === null ? "those of its own numbers" : countries.join(", ") || "none" });
}

function collectCountries(text: string, before: readonly string[] = []): readonly string[] {
  const named = text.split(",").map((word) => word.trim().toUpperCase());
  if (!named.every((word) => /^([A-Z]{2}|OWN)$/.test(word))) {
    throw new InvalidArgumentError("Countries are two letters, such as US; own alone means those of its numbers.");
  }
  const all = [...before, ...named];
  if (all.includes("OWN") && all.length > 1) throw new InvalidArgumentError("own stands alone.");
  return all;
}
