// `tandem operator ports`: the port orders of all accounts, and moving them along by hand.

import type { Command } from "commander";
import {
  type OwnedPortOrder,
  PORT_ORDER_STATUSES,
  PORT_REASON_CODES,
  type PortCompletion,
  type PortOrderStatus,
  type PortReasonCode,
} from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, oneOf, parseCount, parseMomentAhead, someOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { printResult, printTable } from "../../output.ts";
import { writeNew } from "../../whole-files.ts";
import { printOrder, printOrders } from "../port-in/print-order.ts";

const HELP = `
Without numbers, a step is taken for all numbers of the order that can take it.

Examples:
  tandem operator ports list --status Submitted
  tandem operator ports foc PO01935f1e4c7b7000a3c41f0e5d9b2a1b --on 2026-01-31T14:00:00Z
  tandem operator ports complete PO01935f1e4c7b7000a3c41f0e5d9b2a1b +13035550123 --halves voice
  tandem operator ports reject PO01935f1e4c7b7000a3c41f0e5d9b2a1b +13035550124 --reason PHONE_NUMBER_NOT_PORTABLE
`;

export function addPortsCommand(operator: Command): void {
  const ports = operator
    .command("ports")
    .summary("the port orders of all accounts")
    .description("The port orders of all accounts. Where no clearing house is connected, they are moved along by hand.")
    .addHelpText("after", HELP);
  addListCommand(ports);
  addShowCommand(ports);
  addDocumentCommand(ports);
  addPinsCommand(ports);
  addDateCommand(ports);
  addCompleteCommand(ports);
  addReasonCommands(ports);
}

function printOwned(order: OwnedPortOrder, flags: OperatorCallFlags): void {
  printResult(order, flags, printOrder);
}

function addListCommand(ports: Command): void {
  const command = ports
    .command("list")
    .description("List the port orders.")
    .option("--account <sid>", "of this account")
    .option("--status <status>", PORT_ORDER_STATUSES.join(", "), oneOf(PORT_ORDER_STATUSES))
    .option("--json", "print JSON instead of a table");
  interface Flags extends OperatorCallFlags {
    readonly account?: string;
    readonly status?: PortOrderStatus;
  }
  addOperatorOptions(command).action(async (flags: Flags) => {
    const client = operatorClientOf(flags);
    const filters = given({ accountSid: flags.account, status: flags.status });
    const items = await gatherPages((page) => client.portOrders.list({ ...filters, ...page }));
    printResult(items, flags, printOrders);
  });
}

function addShowCommand(ports: Command): void {
  const command = ports
    .command("show")
    .description("Show a port order, with how far each number has come.")
    .argument("<sid>", "the order")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags) => {
    printOwned((await operatorClientOf(flags).portOrders.get(sid)).data, flags);
  });
}

function addDocumentCommand(ports: Command): void {
  const command = ports
    .command("document")
    .description("Fetch a document that came with a port order, such as the signed letter.")
    .argument("<sid>", "the order")
    .argument("[place]", "which one, from 1", parseCount, 1)
    .option("-o, --out <file>", "where to; - is standard output, SID-NAME by default")
    .option("--json", "print what was fetched as JSON");
  addOperatorOptions(command).action(
    async (sid: string, place: number, flags: OperatorCallFlags & { readonly out?: string }) => {
      const { portOrders } = operatorClientOf(flags);
      const { data: bytes } = await portOrders.document(sid, place);
      const known = (await portOrders.get(sid)).data.documents.find((each) => each.place === place);
      // The name was chosen by the account: nothing of it may lead to another directory.
      const name = (known?.name ?? String(place)).replace(/[^\w.-]/g, "_");
      const path = flags.out ?? `${sid}-${name}`;
      await writeNew({ path, bytes, ...given({ about: known }), text: `: ${bytes.length} octets` }, flags);
    },
  );
}

function addPinsCommand(ports: Command): void {
  const command = ports
    .command("pins")
    .description("Reveal the transfer PINs of a port order. The audit log tells that you have seen them.")
    .argument("<sid>", "the order")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(command).action(async (sid: string, flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).portOrders.revealPins(sid);
    printResult(data, flags, ({ pins }) =>
      printTable(
        ["Number", "PIN"],
        pins.map(({ number, pin }) => [number, pin]),
      ),
    );
  });
}

/** Undefined means all that can take the step. */
function named(numbers: readonly string[]): readonly string[] | undefined {
  return numbers.length === 0 ? undefined : numbers;
}

function addStep(ports: Command, name: string, description: string): Command {
  return ports
    .command(name)
    .description(description)
    .argument("<sid>", "the order")
    .argument("[numbers...]", "which numbers; all that can take it unless told")
    .option("--json", "print JSON");
}

function addDateCommand(ports: Command): void {
  const command = addStep(ports, "foc", "Confirm the date at which the losing carrier lets go.").requiredOption(
    "--on <time>",
    "in 30m, 2h, 3d, or 2026-01-31T14:00:00Z",
    (text) => parseMomentAhead(text),
  );
  type Flags = OperatorCallFlags & { readonly on: string };
  addOperatorOptions(command).action(async (sid: string, numbers: readonly string[], flags: Flags) => {
    const order = { on: flags.on, ...given({ numbers: named(numbers) }) };
    printOwned((await operatorClientOf(flags).portOrders.confirmDate(sid, order)).data, flags);
  });
}

const HALVES = ["voice", "messaging"] as const;

function addCompleteCommand(ports: Command): void {
  const command = addStep(ports, "complete", "Say that numbers have moved.").option(
    "--halves <list>",
    "what has moved: voice,messaging; both unless told",
    someOf(HALVES),
  );
  type Flags = OperatorCallFlags & Pick<PortCompletion, "halves">;
  addOperatorOptions(command).action(async (sid: string, numbers: readonly string[], flags: Flags) => {
    const order = given({ halves: flags.halves, numbers: named(numbers) });
    printOwned((await operatorClientOf(flags).portOrders.complete(sid, order)).data, flags);
  });
}

function addReasonCommands(ports: Command): void {
  for (const [name, method, description] of [
    ["reject", "reject", "Say that numbers will not come."],
    ["exception", "hold", "Ask the account to put something right: tandem port-in answer."],
  ] as const) {
    const command = addStep(ports, name, description)
      .requiredOption("--reason <code>", "such as ENTITY_NAME_MISMATCH", oneOf(PORT_REASON_CODES))
      .option("--detail <text>", "the same in words");
    type Flags = OperatorCallFlags & { readonly reason: PortReasonCode; readonly detail?: string };
    addOperatorOptions(command).action(async (sid: string, numbers: readonly string[], flags: Flags) => {
      const order = { reason: flags.reason, ...given({ detail: flags.detail, numbers: named(numbers) }) };
      printOwned((await operatorClientOf(flags).portOrders[method](sid, order)).data, flags);
    });
  }
}
