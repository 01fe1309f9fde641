// Prints port orders as text for people.

import type { OwnedPortOrder, PortOrder } from "../../../../sdk/src/index.ts";
import { print, printFields, printTable, say } from "../../output.ts";

/** For accounts and for the operator, who also sees whose each is. */
export function printOrders(items: readonly (PortOrder | OwnedPortOrder)[]): void {
  const isOwned = items.some((order) => "accountSid" in order);
  printTable(
    [...(isOwned ? ["Account"] : []), "Sid", "Status", "Numbers", "Config", "Reason", "Created"],
    items.map((order) => [
      ...("accountSid" in order ? [order.accountSid] : []),
      order.sid,
      order.status,
      String(order.numbers.length),
      order.messagingConfigSid,
      order.reason ?? "-",
      order.createdOn,
    ]),
  );
}

export function printOrder(order: PortOrder | OwnedPortOrder): void {
  printFields({
    ...("accountSid" in order && { Account: order.accountSid }),
    Sid: order.sid,
    Status: order.status,
    Reason: order.reason,
    Config: order.messagingConfigSid,
    "Losing carrier": order.losingCarrier,
    "Account number": order.accountNumber,
    Subscriber: `${order.subscriber.name} (${order.subscriber.type}), by ${order.subscriber.authorizedPerson}`,
    Reference: order.customerReference,
    Documents: order.documents.map(({ name }) => name).join(", "),
    Submitted: order.submitted ? "yes" : "not yet",
    Created: order.createdOn,
    Updated: order.updatedOn,
  });
  print("\n");
  printTable(
    ["Number", "Status", "Date", "Voice moved", "Messaging moved", "Reason"],
    order.numbers.map((number) => [
      number.number,
      number.status,
      number.focOn ?? "-",
      number.voiceMovedOn ?? "-",
      number.messagingMovedOn ?? "-",
      number.reason ?? "-",
    ]),
  );
  if (order.cancelRequestedOn !== null) say(`Its cancellation was asked for on ${order.cancelRequestedOn}.`);
  if (order.refused) say(`The ${order.refused.what} that was asked for last was not granted: ${order.refused.reason}`);
  if (order.status === "Exception") {
    const what = order.answerWith.length === 0 ? "" : ` with another ${order.answerWith.join(" or ")}`;
    say(`→ Answer it${what}: tandem port-in answer ${order.sid} …`);
  }
}
