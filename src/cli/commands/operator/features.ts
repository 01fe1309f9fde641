// `tandem operator features on` and `off`: only the named features change.

import type { Command } from "commander";
import { FEATURES, type Feature } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { oneOf } from "../../arguments.ts";
import { printResult } from "../../output.ts";
import { printAs } from "../../plain-commands.ts";

export function addFeatureSwitches(features: Command): void {
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
      const changed = name === "on" ? [...others, ...named] : others;
      const { data: account } = await operatorClientOf(flags).accounts.change(sid, { features: changed });
      printResult(account, flags, () => printAs("operator accounts show", account));
    });
  }
}

const collectFeatures = Object.assign(
  (text: string, before: readonly Feature[] = []): readonly Feature[] => [...before, oneOf(FEATURES)(text)],
  { words: FEATURES },
);
