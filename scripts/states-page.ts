// docs/states.md: how statuses move, printed from the tables that move them.

import { MESSAGE_MOVES } from "../src/domain/messaging/message.ts";
import { PHONE_MOVES, PHONE_REASONS } from "../src/domain/numbers/phone-status.ts";
import { PORT_NUMBER_MOVES, PORT_ORDER_MOVES } from "../src/domain/porting/port-order.ts";

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

const ORDERS = `
## Port orders

The order's status is what its numbers amount to; every move is told with \`PortOrderStatusChanged\`. What has moved has moved: it outweighs every refusal, so that what is closed may still rise and never opens again.

| From | To |
|---|---|
`;

const ORDER_NUMBERS = `
Of each of its numbers, \`Activating\`: voice or messaging is here and the other is awaited; \`PartiallyCompleted\`: one is here and the other was refused.

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
  return [PHONES, ...phones, MESSAGES, ...rowsOf(MESSAGE_MOVES), ORDERS, ...rowsOf(PORT_ORDER_MOVES)]
    .concat(ORDER_NUMBERS, rowsOf(PORT_NUMBER_MOVES))
    .join("");
}

function rowsOf(moves: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(moves)
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => `| \`${from}\` | ${to.map((status) => `\`${status}\``).join(", ")} |\n`);
}
