// A call on the pure machine, for tests of programs: an input a second.

import { step } from "../../src/domain/voice/call-flow.ts";
import type { CallCommand, CallInput, CallState } from "../../src/domain/voice/call-state.ts";

const START = Date.UTC(2026, 0, 1);
export const at = (seconds: number) => new Date(START + seconds * 1000);

export const ORDER = {
  sid: "CA1",
  accountSid: "AC1",
  firstLegSid: "LG0",
  from: "+14155550101",
  to: "+14155550100",
  callerId: "+14155550101",
  ringSeconds: 30,
  maxSeconds: 600,
  recordingSid: "RE1",
  isRecorded: false,
};

export interface Run {
  readonly state: CallState;
  readonly commands: readonly CallCommand[];
}

export function fed({ state, commands }: Run, ...inputs: readonly CallInput[]): Run {
  return inputs.reduce<Run>(
    (ran, input, index) => {
      const [next, more] = step(ran.state, input, at(index + 1));
      return { state: next, commands: [...ran.commands, ...more] };
    },
    { state, commands },
  );
}
