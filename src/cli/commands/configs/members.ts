// `tandem configs add-numbers` and `remove-numbers`: each number succeeds or fails on its own.

import type { Command } from "commander";
import type { PhonesAssigned } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { EXIT } from "../../exit-codes.ts";
import { printJson, printTable } from "../../output.ts";

export function addMemberCommands(configs: Command): void {
  for (const change of ["add", "remove"] as const) {
    const command = configs
      .command(`${change}-numbers`)
      .description(change === "add" ? "Add numbers to a MessagingConfig." : "Take numbers out of a MessagingConfig.")
      .argument("<sid>", "the config")
      .argument("<numbers...>", "the numbers")
      .option("--json", "print JSON");
    addAccountOptions(command).action(async (sid: string, given: readonly string[], flags: AccountFlags) => {
      const { messagingConfigs } = clientOf(flags);
      const assign = change === "add" ? messagingConfigs.addPhones : messagingConfigs.deletePhones;
      process.exitCode = printAssigned((await assign(sid, given)).data, flags);
    });
  }
}

function printAssigned(assigned: PhonesAssigned, { json }: AccountFlags): number {
  if (json) printJson(assigned);
  else {
    printTable(
      ["Number", "Outcome"],
      [
        ...assigned.success.map((number) => [number, "done"]),
        ...assigned.failed.map(({ number, reason }) => [number, `refused: ${reason}`]),
      ],
    );
  }
  return assigned.failed.length === 0 ? EXIT.fine : EXIT.refused;
}
