// `tandem port-in`: checks portability, makes letters of authorization, and submits and follows port orders.

import type { Command } from "commander";
import {
  PORT_ORDER_STATUSES,
  type PortInOrder,
  type PortLetterOrder,
  type PortOrder,
  type PortOrderStatus,
} from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { oneOf } from "../../arguments.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printJson, printResult, printTable, say } from "../../output.ts";
import { writeNew } from "../../whole-files.ts";
import { printPhones } from "../numbers/print-phone.ts";
import { addFileOption, addOrderOptions, filesOf, ORDER_HELP, type OrderFlags, orderOf } from "./order-options.ts";
import { printOrder, printOrders } from "./print-order.ts";

const LETTER = "letter-of-authorization.pdf";

const HELP = `
Examples:
  tandem port-in check +13035550123
  tandem port-in loa +13035550123 --data order.json --out loa.pdf
  tandem port-in submit +13035550123 --config MC01935f1e4c7b7000a3c41f0e5d9b2a17 --data order.json --file loa-signed.pdf
  tandem port-in show PO01935f1e4c7b7000a3c41f0e5d9b2a1b
`;

type Flags = AccountFlags & OrderFlags;

export function addPortInCommand(program: Command): void {
  const portIn = program
    .command("port-in")
    .summary("bring numbers here from other carriers")
    .description("Bring numbers here from other carriers.")
    .addHelpText("after", HELP);
  addCheckCommand(portIn);
  addLetterCommand(portIn);
  addSubmitCommand(portIn);
  addListCommand(portIn);
  addShowCommand(portIn);
  addAnswerCommand(portIn);
  addCancelCommand(portIn);
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
        printPhones(data.phones);
        say(`Port order ${data.sid} is ${data.status}: tandem port-in show ${data.sid}`);
      }
    });
}

function addListCommand(portIn: Command): void {
  const command = portIn
    .command("list")
    .description("List the port orders.")
    .option("--status <status>", PORT_ORDER_STATUSES.join(", "), oneOf(PORT_ORDER_STATUSES))
    .option("--json", "print JSON instead of a table");
  addAccountOptions(command).action(async (flags: AccountFlags & { readonly status?: PortOrderStatus }) => {
    const client = clientOf(flags);
    const filter = flags.status === undefined ? {} : { status: flags.status };
    const items = await gatherPages((page) => client.portIn.list({ ...filter, ...page }));
    printResult(items, flags, printOrders);
  });
}

function printOrderOrJson(order: PortOrder, { json }: AccountFlags): void {
  if (json) printJson(order);
  else printOrder(order);
}

function addShowCommand(portIn: Command): void {
  const command = portIn
    .command("show")
    .description("Show a port order, with how far each number has come.")
    .argument("<sid>", "the order")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    printOrderOrJson((await clientOf(flags).portIn.get(sid)).data, flags);
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
      printOrderOrJson((await clientOf(flags).portIn.answer(sid, orderOf([], flags), filesOf(flags))).data, flags);
    });
}

function addCancelCommand(portIn: Command): void {
  const command = portIn
    .command("cancel")
    .description("Cancel a port order, for the numbers of which nothing has moved.")
    .argument("<sid>", "the order")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (sid: string, flags: AccountFlags) => {
    printOrderOrJson((await clientOf(flags).portIn.cancel(sid)).data, flags);
  });
}
