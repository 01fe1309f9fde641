// `tandem port-in`: checks portability, creates letters of authorization, and submits port orders with their files.

import type { Command } from "commander";
import type { PortInOrder, PortLetterOrder } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { printJson, printResult, printTable, say } from "../../output.ts";
import { printAs } from "../../plain-commands.ts";
import { writeNew } from "../../whole-files.ts";
import { addFileOption, addOrderOptions, filesOf, ORDER_HELP, type OrderFlags, orderOf } from "./order-options.ts";

const LETTER = "letter-of-authorization.pdf";

type Flags = AccountFlags & OrderFlags;

export function addPortInCommands(portIn: Command): void {
  addCheckCommand(portIn);
  addLetterCommand(portIn);
  addSubmitCommand(portIn);
  addAnswerCommand(portIn);
}

function addCheckCommand(portIn: Command): void {
  const command = portIn
    .command("check")
    .description(
      "Can numbers be ported in, as far as can be told without asking their carriers? Ends with 1 when one cannot.",
    )
    .argument("<numbers...>", "the numbers")
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (numbers: readonly string[], flags: AccountFlags) => {
    const client = clientOf(flags);
    const items = [];
    for (const number of numbers) items.push((await client.portIn.check(number)).data);
    if (flags.json) printJson(items);
    else {
      printTable(
        ["Number", "Portable", "Type", "Losing carrier", "What it needs", "Why not"],
        items.map((item) => [
          item.number,
          item.portable ? "yes" : "no",
          item.type,
          item.losingCarrier ?? "-",
          item.needs.join(", ") || "-",
          item.reason ?? "-",
        ]),
      );
    }
    if (items.some(({ portable }) => !portable)) process.exitCode = EXIT.refused;
  });
}

function addLetterCommand(portIn: Command): void {
  const command = portIn
    .command("loa")
    .description("Write a letter of authorization, filled in and to be signed.")
    .argument("[numbers...]", "the numbers")
    .option("--order <sid>", "for an order that was made already")
    .option("--out <file>", "where it goes, - is standard output; a file that is there is not replaced", LETTER)
    .option("--json", "print JSON");
  addAccountOptions(addOrderOptions(command))
    .addHelpText("after", ORDER_HELP)
    .action(async (numbers: readonly string[], flags: Flags & { readonly order?: string; readonly out: string }) => {
      const { portIn: calls } = clientOf(flags);
      const { data } =
        flags.order === undefined
          ? await calls.letter(orderOf<PortLetterOrder>(numbers, flags))
          : await calls.letterOf(flags.order);
      await writeNew({ path: flags.out, bytes: data, text: " is to be signed by the authorized person." }, flags);
    });
}

function addSubmitCommand(portIn: Command): void {
  const command = portIn
    .command("submit")
    .description("Order numbers from another carrier. What is refused is refused as a whole, with all that is wrong.")
    .argument("[numbers...]", "the numbers, up to 100")
    .option("--config <sid>", "the MessagingConfig they will belong to")
    .option("--key <key>", "the same key with the same order makes it only once a day")
    .option("--json", "print JSON");
  addAccountOptions(addFileOption(addOrderOptions(command)))
    .addHelpText("after", ORDER_HELP)
    .action(async (numbers: readonly string[], flags: Flags & { readonly key?: string }) => {
      if (flags.file === undefined) {
        throw new UsageError("Give --file LETTER, signed: tandem port-in loa writes one that is filled in.");
      }
      const order = orderOf<PortInOrder>(numbers, flags);
      const options = flags.key === undefined ? {} : { idempotencyKey: flags.key };
      const { data } = await clientOf(flags).portIn.submit(order, filesOf(flags), options);
      if (flags.json) printJson(data);
      else {
        printAs("numbers list", data.phones);
        say(`Port order ${data.sid} is ${data.status}: tandem port-in show ${data.sid}`);
      }
    });
}

function addAnswerCommand(portIn: Command): void {
  const command = portIn
    .command("answer")
    .description("Answer an exception of a port order: what is given takes the place of what was said before.")
    .argument("<sid>", "the order")
    .option("--json", "print JSON");
  addAccountOptions(addFileOption(addOrderOptions(command)))
    .addHelpText("after", ORDER_HELP)
    .action(async (sid: string, flags: Flags) => {
      const { data } = await clientOf(flags).portIn.answer(sid, orderOf([], flags), filesOf(flags));
      printResult(data, flags, () => printAs("port-in show", data));
    });
}
