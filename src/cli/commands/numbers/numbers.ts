// `tandem numbers`: lists, buys, configures and releases numbers.

import type { Command } from "commander";
import type { PhoneChange } from "../../../../sdk/src/index.ts";
import { ACCOUNT_ITSELF, type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, orNone, parseCount, parseYesOrNo } from "../../arguments.ts";
import { UsageError } from "../../exit-codes.ts";
import { printJson, printResult, printTable, say } from "../../output.ts";
import { printPhone } from "./print-phone.ts";
import { addReadingCommands, printVoiceSettings } from "./read.ts";

const HELP = `
Examples:
  tandem numbers available --area-code 415
  tandem numbers buy +14155550123 --name "Front desk" --config MC01935f1e4c7b7000a3c41f0e5d9b2a17
  tandem numbers configure +14155550123 --config none
  tandem numbers voice set +14155550123 --forward-to sip:desk@pbx.example.com --record yes
`;

export function addNumbersCommand(program: Command): void {
  const numbers = program
    .command("numbers")
    .summary("your numbers, and those that can be had")
    .description("Your numbers, and those that can be had.")
    .addHelpText("after", HELP);
  const voice = addReadingCommands(numbers, ACCOUNT_ITSELF);
  addVoiceSetCommand(voice);
  addAvailableCommand(numbers);
  addBuyCommand(numbers);
  addConfigureCommand(numbers);
  addReleaseCommand(numbers);
}

function addAvailableCommand(numbers: Command): void {
  const command = numbers
    .command("available")
    .description("List numbers that can be had.")
    .option("--area-code <digits>", "the three digits after +1")
    .option("--contains <digits>", "with these digits somewhere")
    .option("--quantity <n>", "1 to 100; 10 unless told", parseCount)
    .option("--json", "print JSON instead of a table");
  interface Flags extends AccountFlags {
    readonly areaCode?: string;
    readonly contains?: string;
    readonly quantity?: number;
  }
  addAccountOptions(command).action(async (flags: Flags) => {
    const { data } = await clientOf(flags).phones.available(
      given({ areaCode: flags.areaCode, contains: flags.contains, quantity: flags.quantity }),
    );
    if (flags.json) {
      printJson(data.items);
      return;
    }
    printTable(
      ["Number", "Features"],
      data.items.map(({ features, number }) => [number, features.join(", ")]),
    );
    if (data.items.length === 0) say("There are none like that.");
  });
}

interface PhoneFlags {
  readonly name?: string;
  readonly config?: string;
}
type ChangeFlags = AccountFlags & PhoneFlags;

export function addChangeOptions(command: Command): Command {
  return command
    .option("--name <name>", "for people; none takes it away")
    .option("--config <sid>", "the MessagingConfig it belongs to; none takes it out")
    .option("--json", "print JSON");
}

export function changeOf({ config, name }: PhoneFlags): PhoneChange {
  return {
    ...(name === undefined ? {} : { name: orNone(name) }),
    ...(config === undefined ? {} : { messagingConfigSid: orNone(config) }),
  };
}

function addBuyCommand(numbers: Command): void {
  const command = numbers
    .command("buy")
    .description("Take a number that can be had.")
    .argument("<number>", "one that tandem numbers available shows");
  addAccountOptions(addChangeOptions(command)).action(async (number: string, flags: ChangeFlags) => {
    printPhone((await clientOf(flags).phones.create({ phone: number, ...changeOf(flags) })).data, flags);
  });
}

function addConfigureCommand(numbers: Command): void {
  const command = numbers
    .command("configure")
    .description("Change what a number is called or belongs to.")
    .argument("<number>", "the number");
  addAccountOptions(addChangeOptions(command)).action(async (number: string, flags: ChangeFlags) => {
    const change = changeOf(flags);
    if (Object.keys(change).length === 0) throw new UsageError("Say what to change: --name or --config.");
    printPhone((await clientOf(flags).phones.change(number, change)).data, flags);
  });
}

function addVoiceSetCommand(voice: Command): void {
  const command = voice
    .command("set")
    .description("Say where the calls of a number go, and whether they are recorded: only what is given changes.")
    .argument("<number>", "the number")
    .option("--forward-to <party>", "a number or a SIP URI; none leaves it to the inbound-call webhook")
    .option("--record <answer>", "yes or no: record calls to it, unless a script says otherwise", parseYesOrNo)
    .option("--json", "print JSON");
  interface Flags extends AccountFlags {
    readonly forwardTo?: string;
    readonly record?: boolean;
  }
  addAccountOptions(command).action(async (number: string, flags: Flags) => {
    const change = {
      ...(flags.forwardTo === undefined ? {} : { callsForwardedTo: orNone(flags.forwardTo) }),
      ...given({ recordInboundCalls: flags.record }),
    };
    if (Object.keys(change).length === 0) throw new UsageError("Say what to change: --forward-to or --record.");
    printResult((await clientOf(flags).phones.changeVoice(number, change)).data, flags, printVoiceSettings);
  });
}

function addReleaseCommand(numbers: Command): void {
  const command = numbers
    .command("release")
    .description("Give a number back. Others may take it from then on.")
    .argument("<number>", "the number")
    .option("--json", "print JSON");
  addAccountOptions(command).action(async (number: string, flags: AccountFlags) => {
    const { phones } = clientOf(flags);
    await phones.remove(number);
    if (flags.json) printJson((await phones.get(number)).data);
    else say(`${number} is given back.`);
  });
}
