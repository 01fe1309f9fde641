// Prints the SDK's list of refusal codes from the closed catalogue in the domain.

import { PROBLEM_TITLES } from "../src/domain/problems.ts";

export function problemCodes(): string {
  const codes = Object.entries(PROBLEM_TITLES).map(([code, title]) => `  /** ${title} */\n  "${code}",\n`);
  return [
    `/** The codes of refusals. */\nexport const PROBLEM_CODES = [\n${codes.join("")}] as const;`,
    "export type ProblemCode = (typeof PROBLEM_CODES)[number];\n",
  ].join("\n");
}
