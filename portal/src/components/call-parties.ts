// The legs of a call, and who is at their ends.

import type { Call, CallLeg } from "@tandem/sdk";

export const legOf = ({ legs }: Call, name: CallLeg["leg"]): CallLeg | undefined =>
  legs.find(({ leg }) => leg === name);

/** The remote party of each leg. */
export function partiesOf(call: Call): { readonly first: string; readonly second: string } {
  const first = legOf(call, "First");
  return {
    first: (call.direction === "Outbound" ? first?.to : first?.from) ?? call.from,
    second: legOf(call, "Second")?.to ?? call.to,
  };
}
