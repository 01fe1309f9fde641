// `tandem optouts import`: opts out the numbers of a CSV file, from a number or a campaign.

import type { Command } from "commander";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { type CsvFlags, outBeside, retriesOption, runCsv } from "../../bulk/run-csv.ts";
import { EXIT } from "../../exit-codes.ts";
import { ADDED_COLUMNS, BATCH_MAX, csvImport } from "./csv-import.ts";
import { addScopeOptions, neededScope } from "./scope.ts";

const IMPORT_HELP = `
The numbers are in the column called number, phone, mobile, … or --column. Every row is copied to OUT as it is and gets the columns
number, outcome and error. Interrupted by whatever, the same command goes on where it stopped. Rate limits are kept. The command ends
with 1 when rows were refused.
`;

interface ImportFlags extends AccountFlags, CsvFlags {
  readonly csv: string;
}

export function addImportCommand(optOuts: Command): void {
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
        addedColumns: ADDED_COLUMNS,
        batchMax: BATCH_MAX,
        subject: { ...scope },
        prepare: ({ layout }) => ({
          begin: (_, caller) => csvImport({ client, caller, column: layout.column, scope }),
        }),
        exitWhenRefused: EXIT.refused,
        flags,
      });
    });
}
