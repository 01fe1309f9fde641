// `tandem operator inventory import`: adds the numbers of a CSV file. A batch is added as a whole; when one of its
// numbers is refused, they are added one by one, so that only that number is refused. Requests may be repeated, because
// a number that is here already is not changed.

import type { Command } from "commander";
import { type InventoryOrder, type OperatorClient, TandemError } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import type { CsvWork, SettledRow } from "../../bulk/process-csv.ts";
import type { RetryingCaller } from "../../bulk/retrying-caller.ts";
import { type CsvFlags, outBeside, retriesOption, runCsv } from "../../bulk/run-csv.ts";
import { EXIT } from "../../exit-codes.ts";
import { addOptionsOf, membersOf } from "../../plain-commands.ts";

const ADDED_COLUMNS = ["outcome", "error"] as const;
const BATCH_MAX = 500;
const NUMBER_LENGTH_MAX = 256;

const HELP = `
The numbers are in the column called number, phone, … or --column. Every row is copied to OUT as it is and gets the columns outcome
(added, or was here already) and error. Interrupted by whatever, the same command goes on where it stopped. Ends with 1 when rows were
refused.

Example:
  tandem operator inventory import --csv block.csv --features SMS,MMS
`;

interface ImportFlags extends OperatorCallFlags, CsvFlags {
  readonly csv: string;
}

export function addInventoryImportCommand(inventory: Command): void {
  const command = inventory
    .command("import")
    .description("Add the numbers of a CSV file to the inventory.")
    .requiredOption("--csv <file>", "the file; - is standard input")
    .option(
      "--out <file>",
      "where its rows go, with what became of them (else FILE.imported.csv); - is standard output",
    )
    .option("--column <name>", "the column of the numbers: its name, or its position from 1")
    .option("--restart", "begin anew instead of going on where the last run stopped")
    .addOption(retriesOption())
    .option("--json", "print JSON");
  addOperatorOptions(addOptionsOf(command, "operator inventory add"))
    .addHelpText("after", HELP)
    .action(async (flags: ImportFlags) => {
      const client = operatorClientOf(flags);
      const kind = membersOf<Kind>("operator inventory add", flags);
      process.exitCode = await runCsv({
        csv: flags.csv,
        out: flags.out ?? outBeside(flags.csv, "imported"),
        addedColumns: ADDED_COLUMNS,
        batchMax: BATCH_MAX,
        subject: { order: JSON.stringify(kind) },
        prepare: ({ layout }) => ({ begin: (_, caller) => csvInventory({ client, caller, kind }, layout.column) }),
        exitWhenRefused: EXIT.refused,
        flags,
      });
    });
}

/** The features and the country of the numbers. */
type Kind = Omit<InventoryOrder, "numbers">;

interface Import {
  readonly client: Pick<OperatorClient, "numbers">;
  readonly caller: RetryingCaller;
  readonly kind: Kind;
}

export function csvInventory(work: Import, column: number): CsvWork<string> {
  return {
    questionOf(cells) {
      const number = cells[column]?.trim() ?? "";
      if (number === "") return refused("There is no number in this row.");
      return number.length > NUMBER_LENGTH_MAX ? refused("This is too long for a number.") : { ask: number };
    },
    async ask(numbers) {
      const whole = await add(work, numbers);
      if (Array.isArray(whole)) return whole;
      const rows: SettledRow[] = [];
      for (const number of numbers) {
        const one = await add(work, [number]);
        rows.push(...(Array.isArray(one) ? one : [refused(one.message)]));
      }
      return rows;
    },
  };
}

/** The rows, or the refusal of all of them. */
async function add({ caller, client, kind }: Import, numbers: readonly string[]): Promise<SettledRow[] | TandemError> {
  const { signal } = caller;
  try {
    const { data } = await caller.call(() => client.numbers.add({ ...kind, numbers }, { signal }));
    const before = new Set(data.alreadyHere.map(digitsOf));
    return numbers.map((number) => ({
      cells: [before.has(digitsOf(number)) ? "was here already" : "added", ""],
      isRefused: false,
    }));
  } catch (error) {
    // A refusal of features or country concerns every row, so it ends the work.
    if (error instanceof TandemError && error.status === 400 && isAboutNumbers(error)) return error;
    throw error;
  }
}

function isAboutNumbers({ errors }: TandemError): boolean {
  return Object.keys(errors).every((field) => field.startsWith("numbers"));
}

/** Punctuation does not matter when numbers are compared. */
function digitsOf(number: string): string {
  return number.replace(/\D/g, "");
}

function refused(error: string): SettledRow {
  return { cells: ["", error], isRefused: true };
}
