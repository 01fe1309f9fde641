// Dial rules without trunks.

import { parseNumber } from "../../src/domain/lookup/index.ts";
import type { DialRules } from "../../src/domain/voice/index.ts";

export const DIAL_RULES: DialRules = {
  emergencyTrunk: undefined,
  isTrunk: () => false,
  readNumber: parseNumber,
};
