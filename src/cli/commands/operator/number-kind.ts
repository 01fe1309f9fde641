// The options for the kind and the features of inventory numbers.

import type { Command } from "commander";
import { NUMBER_FEATURES, type NumberFeature } from "../../../../sdk/src/index.ts";
import { someOf } from "../../arguments.ts";

export interface NumberKindFlags {
  readonly features?: readonly NumberFeature[];
  readonly country?: string;
}

export function addNumberKindOptions(command: Command): Command {
  return command
    .option("--country <letters>", "they are short codes of this country, such as US")
    .option(
      "--features <list>",
      `${NUMBER_FEATURES.join(",")}; all unless told, of short codes all but VOICE`,
      someOf(NUMBER_FEATURES),
    );
}
