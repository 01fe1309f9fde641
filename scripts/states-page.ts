// docs/states.md: how statuses move, printed from the tables that move them.

import { MESSAGE_MOVES } from "../src/domain/messaging/message.ts";
import { PHONE_MOVES, PHONE_REASONS } from "../src/domain/numbers/phone-status.ts";

const PHONES = `# States

A status without a row of its own is an end. This page is generated: \`npm run generate\`.

## Numbers

Nobody sets a number's status: it follows from what the number belongs to. A number needs a MessagingConfig, and, if it is a geographic number of +1 (10DLC), a campaign linked to that config; toll-free numbers, short codes and numbers of other countries need none. Every move is told with \`PhoneNumberStatusChanged\`, in the transaction that made it. A campaign that is suspended or expires changes no status: sends are refused.

A number is \`PendingPortIn\` until its messaging has moved; then it goes where it belongs. A change of campaign is two moves: out of \`Active\` and back. Adding a number to a campaign takes as long as \`TANDEM_ACTIVATION_SECONDS\` says; the number waits for it in \`PendingTcrCampaignAdd\` or \`PendingTcrCampaignChange\`, and its \`statusReason\` says so.

| From | Because | To |
|---|---|---|
`;

const BECAUSE: Readonly<Record<keyof typeof PHONE_REASONS, string>> = {
  ...PHONE_REASONS,
  nothingLacking: "It has all it needs.",
};

const MESSAGES = `
## Outbound messages

\`Sent\`: the carrier accepted it. The one way back, from \`Failed\` to \`Delivered\`, is for a message whose outcome was unknown (3100) and whose receipt came late.

| From | To |
|---|---|
`;

export function statesPage(): string {
  const phones = Object.entries(PHONE_MOVES).flatMap(([from, moves]) =>
    Object.entries(moves).map(
      ([move, to]) =>
        `| ${from === "none" ? "" : `\`${from}\``} | ${BECAUSE[move as keyof typeof BECAUSE]} | \`${to}\` |\n`,
    ),
  );
  const messages = Object.entries(MESSAGE_MOVES)
    .filter(([, moves]) => moves.length > 0)
    .map(([from, moves]) => `| \`${from}\` | ${moves.map((to) => `\`${to}\``).join(", ")} |\n`);
  return `${PHONES}${phones.join("")}${MESSAGES}${messages.join("")}`;
}
