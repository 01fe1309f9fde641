// The parties that one dial calls at the same time: the first to answer is connected, and the others are hung up. While
// more than one of them is called, the end of one ends its leg alone; the last one is as the party of any other dial.
//
// Guarantees: each leg tells its Completed once, when it ends; the first party hears ringing until one has answered.

import { type EndReason, type Leg, openSeconds } from "./call.ts";
import { type CallCommand, type CallState, type CallStep, type Ending, markOf, withChanged } from "./call-state.ts";

/** Whether several parties are being called. */
export function isHunting({ call }: CallState): boolean {
  return openSeconds(call).length > 1;
}

/** The leg ends, and the others go on. */
export function drop(state: CallState, leg: Leg, { reason, details, endedLeg }: Ending, at: Date): CallStep {
  const over = withChanged(state, leg, { status: "Completed", completedOn: at, endReason: reason });
  const mark = markOf(leg);
  const hangUp: readonly CallCommand[] = endedLeg === undefined ? [{ do: "hangUp", ...mark }] : [];
  const noted = { do: "note", step: "dialled", details: { endReason: reason, to: leg.to, ...details } } as const;
  return [over, [...hangUp, { do: "drop", ...mark }, { do: "tell", ...mark, status: "Completed" }, noted]];
}

/** All second legs but this one end. */
export function keepOnly(state: CallState, kept: Leg | undefined, reason: EndReason, at: Date): CallStep {
  const others = openSeconds(state.call).filter(({ sid }) => sid !== kept?.sid);
  return others.reduce<CallStep>(
    ([before, commands], leg) => {
      const [after, dropped] = drop(before, leg, { reason, by: "Service" }, at);
      return [after, [...commands, ...dropped]];
    },
    [state, []],
  );
}
