// `tandem campaigns migrate`: guides the user through the migration of a campaign and its numbers. Creates the config
// and the port order, explains what must be done elsewhere, and watches until every number is Active. It reads the
// state first, so it may be run again at any time.

import { type Command, Option } from "commander";
import { type Migration, type PortInOrder, type TandemClient, TandemError } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { EXIT, RefusedError, UsageError } from "../../exit-codes.ts";
import { isTerminal, print, printJson, say } from "../../output.ts";
import { STDERR } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";
import {
  addFileOption,
  addOrderOptions,
  filesOf,
  ORDER_HELP,
  type OrderFlags,
  orderOf,
} from "../port-in/order-options.ts";
import { migrationText } from "./migration-text.ts";
import { configName, planUnknown } from "./plan-unknown.ts";
import { isOver, watchMigration } from "./watch-migration.ts";

const RETRIES_MAX = 20;

const HELP = `
What it does:
  1. looks whether everything is ready, and at the numbers that are given
  2. makes a MessagingConfig with the campaign's id in its name, if there is none, and links the campaign to it if that
     has come already
  3. orders the numbers, if they are given with a signed letter (--file)
  4. says what to do in the campaign registry, with our id there
  5. with --watch, tells every change until all numbers are Active
Run it again at any time, before or after the step in the registry: what was done is not done twice. --dry-run only
looks, and ends with 1 when nothing here knows the campaign yet.

Exit status:
  0  nothing is in the way; with --watch, every number is Active
  1  something blocks it, as the lines with ✗ say; with --watch, some numbers did not come
  130  interrupted; the migration goes on

Examples:
  tandem campaigns migrate CABC123 +13035550123 +13035550124 --dry-run
  tandem campaigns migrate CABC123 +13035550123 +13035550124 --data order.json --file loa-signed.pdf --watch
`;

interface MigrateFlags extends AccountFlags, OrderFlags {
  readonly dryRun?: true;
  readonly watch?: true;
}

export function addMigrateCommand(campaigns: Command): void {
  const command = campaigns
    .command("migrate")
    .description("Bring a campaign and its numbers here from another connectivity partner.")
    .argument("<id>", "the campaign")
    .argument("[numbers...]", "its numbers, up to 100")
    .option("--dry-run", "only look: make and order nothing")
    .addOption(new Option("--watch", "go on until every number is Active").conflicts("dryRun"))
    .option("--config <sid>", "the MessagingConfig that its numbers will belong to, where several name the campaign")
    .option("--json", "print JSON in the end");
  addAccountOptions(addFileOption(addOrderOptions(command)))
    .addHelpText("after", ORDER_HELP + HELP)
    .action(async (id: string, numbers: readonly string[], flags: MigrateFlags) => {
      process.exitCode = await migrate(clientOf(flags), id.toUpperCase(), numbers, flags);
    });
}

async function migrate(
  client: TandemClient,
  id: string,
  numbers: readonly string[],
  flags: MigrateFlags,
): Promise<number> {
  if (!/^C[A-Z0-9]{6,7}$/.test(id))
    throw new UsageError(`${id} is no campaign: one is C and 6 or 7 letters and digits.`);
  const order = orderOf<PortInOrder>(numbers, flags);
  const wanted = (order.phones ?? []).map(({ number }) => number);
  if (flags.file !== undefined && wanted.length === 0) throw new UsageError("Give the numbers that the letter is for.");
  const found = await look(client, id, wanted);
  if (!found && flags.dryRun) return planUnknown(client, { id, numbers: wanted }, flags);
  const known = found && flags.dryRun ? found : await prepare(client, { id, found, numbers: wanted }, flags);
  const first = flags.dryRun ? known : await orderNumbers(client, known, order, flags);
  if (!flags.json) print(migrationText(first, isTerminal()));
  const last = flags.watch && !isOver(first) ? await watch(client, first) : first;
  if (last === undefined) return EXIT.interrupted;
  if (flags.json) printJson(last);
  else if (last !== first) print(`\n${migrationText(last, isTerminal())}`);
  return last.blockers.length > 0 || last.preflight.some(({ passed }) => !passed) ? EXIT.refused : EXIT.fine;
}

async function look(client: TandemClient, id: string, numbers: readonly string[] = []): Promise<Migration | undefined> {
  try {
    return (await client.migrations.get(id, { numbers })).data;
  } catch (error) {
    if (error instanceof TandemError && error.status === 404) return undefined;
    throw error;
  }
}

interface Plan {
  readonly id: string;
  readonly found: Migration | undefined;
  readonly numbers: readonly string[];
}

/**
 * Creates what is missing here: a config that names the campaign, and the link if the campaign was here before its
 * config, because only an import links automatically.
 */
async function prepare(client: TandemClient, { id, found, numbers }: Plan, { config }: MigrateFlags) {
  let known = found;
  if (!known || (config === undefined && lacksConfig(known))) {
    if (config !== undefined) throw new RefusedError(`${config} does not name ${id}: put the id into its name first.`);
    const name = configName(id);
    const { data } = await client.messagingConfigs.create({ name });
    say(`MessagingConfig ${data.sid} was made and is called "${name}", so that ${id} is linked to it.`);
    known = await lookAgain(client, id, numbers);
  }
  const messagingConfigSid = config ?? known.messagingConfigSid;
  if (known.campaign === null || known.linked || messagingConfigSid === null) return known;
  await client.campaigns.change(id, { messagingConfigSid });
  say(`${id} was here already and is linked to ${messagingConfigSid} now.`);
  return lookAgain(client, id, numbers);
}

/** The campaign is here or on its way, and no config names it. */
function lacksConfig({ messagingConfigs, campaign, registry }: Migration): boolean {
  return messagingConfigs.length === 0 && (campaign !== null || registry !== null);
}

async function lookAgain(client: TandemClient, id: string, numbers: readonly string[]): Promise<Migration> {
  return (await client.migrations.get(id, { numbers })).data;
}

/** The migration after the order, or as it was when there is nothing to order. */
async function orderNumbers(
  client: TandemClient,
  known: Migration,
  order: PortInOrder,
  flags: MigrateFlags,
): Promise<Migration> {
  if (flags.file === undefined) return known;
  const here = new Set(known.numbers.filter(({ status }) => status !== "Removed").map(({ number }) => number));
  const phones = (order.phones ?? []).filter(({ number }) => !here.has(number));
  if (phones.length === 0) return known;
  const messagingConfigSid = flags.config ?? known.messagingConfigSid;
  if (messagingConfigSid === null) {
    throw new RefusedError("It is not clear which MessagingConfig is meant: give --config SID.");
  }
  const { data: ordered } = await client.portIn.submit({ ...order, phones, messagingConfigSid }, filesOf(flags));
  say(`Port order ${ordered.sid} was made for ${phones.length} numbers.`);
  return lookAgain(
    client,
    known.tcrCampaignId,
    phones.map(({ number }) => number),
  );
}

async function watch(client: TandemClient, first: Migration): Promise<Migration | undefined> {
  const signal = stopSignal();
  const caller = new RetryingCaller({
    sizeMax: 1,
    retriesMax: RETRIES_MAX,
    signal,
    onWait: (_, why) => say(`waiting ${why}`),
  });
  try {
    return await watchMigration({ ...STDERR, client, caller, first });
  } catch (error) {
    if (!signal.aborted) throw error;
    say(`\nThe migration goes on: tandem campaigns migrate ${first.tcrCampaignId} --watch`);
    return undefined;
  }
}
