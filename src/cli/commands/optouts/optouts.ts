// `tandem optouts`: lists, adds, removes and imports opt-outs from a number or a campaign.

import type { Command } from "commander";
import type { OptOut } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { limitOption } from "../../arguments.ts";
import { type CsvFlags, outBeside, retriesOption, runCsv } from "../../bulk/run-csv.ts";
import { EXIT } from "../../exit-codes.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printJson, printResult, printTable, say } from "../../output.ts";
import { ADDED_COLUMNS, BATCH_MAX, csvImport } from "./csv-import.ts";
import { addScopeOptions, neededScope, type ScopeFlags, scopeOf } from "./scope.ts";

export function addOptOutCommands(optOuts: Command): void {
  addListCommand(optOuts);
  addAddCommand(optOuts);
  addRemoveCommand(optOuts);
  addImportCommand(optOuts);
}

interface OptOutFlags extends AccountFlags, ScopeFlags {}

function printOptOuts(items: readonly OptOut[]): void {
  printTable(
    ["Number", "Scope", "Of", "Keyword", "Since"],
    items.map((item) => [item.number, item.scopeType, item.scope, item.keyword ?? "-", item.createdOn]),
  );
}

function addListCommand(optOuts: Command): void {
  const command = optOuts
    .command("list")
    .description("List opt-outs, the newest first.")
    .option("--number <number>", "of this number");
  addScopeOptions(command).addOption(limitOption()).option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(
    async (flags: OptOutFlags & { readonly number?: string; readonly limit: number }) => {
      const client = clientOf(flags);
      const filters = { ...(flags.number === undefined ? {} : { number: flags.number }), ...scopeOf(flags) };
      const items = await gatherPages((page) => client.optOuts.list({ ...filters, ...page }), flags.limit);
      printResult(items, flags, printOptOuts);
    },
  );
}

function addAddCommand(optOuts: Command): void {
  const command = optOuts
    .command("add")
    .description("Opt a number out.")
    .argument("<number>", "who does not want to hear from you");
  addScopeOptions(command).option("--json", "print JSON");
  addAccountOptions(command).action(async (number: string, flags: OptOutFlags) => {
    const scope = neededScope(flags);
    const { data, status } = await clientOf(flags).optOuts.create({ number, ...scope });
    if (flags.json) printJson(data);
    else printOptOuts([data]);
    if (status === 200) say("It had opted out already.");
  });
}

function addRemoveCommand(optOuts: Command): void {
  const command = optOuts
    .command("remove")
    .description("Opt a number in again. Only if the person asked for it: they may write START themselves.")
    .argument("<number>", "who wants to hear from you again");
  addScopeOptions(command).option("--json", "print JSON");
  addAccountOptions(command).action(async (number: string, flags: OptOutFlags) => {
    const scope = neededScope(flags);
    await clientOf(flags).optOuts.remove({ number, ...scope });
    if (flags.json) printJson({ number, ...scope, removed: true });
    else say(`${number} has opted in again.`);
  });
}

const IMPORT_HELP = `
The numbers are in the column called number, phone, mobile, … or --column. Every row is copied to OUT as it is and gets the columns
number, outcome and error. Interrupted by whatever, the same command goes on where it stopped. Rate limits are kept. The command ends
with 1 when rows were refused.
`;

interface ImportFlags extends OptOutFlags, CsvFlags {
  readonly csv: string;
  readonly out?: string;
  readonly column?: string;
  readonly restart?: true;
}

function addImportCommand(optOuts: Command): void {
  const command = optOuts
    .command("import")
    .description("Opt every number of a CSV file out.")
    .requiredOption("--csv <file>", "the file");
  addScopeOptions(command)
    .option("--out <file>", "where its rows go, with what became of them (else FILE.imported.csv)")
    .option("--column <name>", "the column of the numbers: its name, or its position from 1")
    .option("--restart", "begin anew instead of going on where the last run stopped")
    .addOption(retriesOption())
    .option("--json", "print JSON");
  addAccountOptions(command)
    .addHelpText("after", IMPORT_HELP)
    .action(async (flags: ImportFlags) => {
      const scope = neededScope(flags);
      const client = clientOf(flags);
      process.exitCode = await runCsv({
        csv: flags.csv,
        out: flags.out ?? outBeside(flags.csv, "imported"),
        column: { wanted: flags.column, option: "--column" },
        addedColumns: ADDED_COLUMNS,
        batchMax: BATCH_MAX,
        again: flags.restart ? "forget" : "continue",
        subject: { ...scope },
        prepare: ({ layout }) => ({
          begin: (_, caller) => csvImport({ client, caller, column: layout.column, scope }),
        }),
        exitWhenRefused: EXIT.refused,
        flags,
      });
    });
}
