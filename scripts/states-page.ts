// Prints docs/states.md, the transitions of statuses, from the state tables.

import { MESSAGE_MOVES, type MessageMove } from "../src/domain/messaging/message.ts";
import { PHONE_MOVES, PHONE_REASONS } from "../src/domain/numbers/phone-status.ts";
import { PORT_NUMBER_MOVES, PORT_ORDER_MOVES } from "../src/domain/porting/port-order.ts";
import { RECORDING_MOVES } from "../src/domain/voice/recording.ts";

const PHONES = `# States

A status without a row of its own is an end. This page is generated: \`npm run generate\`.

## Numbers

A number's status is never set: it follows from what the number belongs to. A number needs a MessagingConfig, and, if it is a geographic number of +1 (10DLC), a campaign linked to that config; toll-free numbers, short codes and numbers of other countries need none. Every move is reported by \`PhoneNumberStatusChanged\`, in the transaction that made it. A campaign that is suspended or expires changes no status: sends are refused.

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

\`Sent\`: the carrier accepted it. Only a message whose outcome was unknown (3100) and whose receipt came late moves from \`Failed\`.

| From | Because | To |
|---|---|---|
`;

const EXPLANATIONS: Readonly<Record<MessageMove, string>> = {
  accepted: "The carrier accepted it.",
  refused: "The carrier refused it, or it may no longer be sent, or nobody knows what became of it.",
  expired: "It expired before it could be sent.",
  canceled: "Its sender canceled it.",
  delivered: "The carrier's receipt says that it was delivered.",
  undelivered: "The carrier's receipt says that it was not.",
};

const ORDERS = `
## Port orders

The order's status is what its numbers amount to; every move is reported by \`PortOrderStatusChanged\`. What has moved has moved: it outweighs every refusal, so that what is closed may still rise and never opens again.

| From | To |
|---|---|
`;

const ORDER_NUMBERS = `
Of each of its numbers, \`Activating\`: voice or messaging is here and the other is awaited; \`PartiallyCompleted\`: one is here and the other was refused (without messaging the account's number is \`Removed\`).

| From | To |
|---|---|
`;

const RECORDINGS = `
## Recordings

It runs while both parties of a call are connected; before that it may be paused and resumed, too. \`Completed\` is reported by \`CallRecordingCompleted\` when there are files.

| From | Because | To |
|---|---|---|
`;

const RECORDED = {
  pause: "It was paused.",
  resume: "It was resumed: a new segment begins.",
  end: "The call ended: the files are being made.",
  endWithoutSegments: "The call ended, and nothing was recorded.",
  ready: "The files are ready.",
  givenUp: "A file could not be made; the raw audio is kept.",
  retried: "The operator had it tried again.",
};

export function statesPage(): string {
  const phones = movesOf(PHONE_MOVES, BECAUSE);
  return [PHONES, ...phones, MESSAGES, ...movesOf(MESSAGE_MOVES, EXPLANATIONS), ORDERS, ...rowsOf(PORT_ORDER_MOVES)]
    .concat(ORDER_NUMBERS, rowsOf(PORT_NUMBER_MOVES))
    .concat(RECORDINGS, movesOf(RECORDING_MOVES, RECORDED))
    .join("");
}

function movesOf(moves: Readonly<Record<string, object>>, because: Readonly<Record<string, string>>): string[] {
  return Object.entries(moves).flatMap(([from, to]) =>
    Object.entries(to).map(
      ([move, status]) => `| ${from === "none" ? "" : `\`${from}\``} | ${because[move]} | \`${status}\` |\n`,
    ),
  );
}

function rowsOf(moves: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(moves)
    .filter(([, to]) => to.length > 0)
    .map(([from, to]) => `| \`${from}\` | ${to.map((status) => `\`${status}\``).join(", ")} |\n`);
}
