// Prints numbers as text for people.

import type { Phone } from "../../../../sdk/src/index.ts";
import { printFields, printJson, printTable } from "../../output.ts";

export function printPhones(items: readonly Phone[]): void {
  printTable(
    ["Number", "Name", "Status", "Reason", "Config", "Features"],
    items.map((phone) => [
      phone.number,
      phone.name ?? "-",
      phone.status,
      phone.statusReason ?? "-",
      phone.messagingConfigSid ?? "-",
      phone.features.join(", "),
    ]),
  );
}

export function printPhone(phone: Phone, { json }: { readonly json?: true }): void {
  if (json) {
    printJson(phone);
    return;
  }
  printFields({
    Number: phone.number,
    Name: phone.name,
    Status: phone.status,
    Reason: phone.statusReason,
    Config: phone.messagingConfigSid,
    "Port order": phone.portOrderSid,
    Features: phone.features.join(", "),
    Created: phone.createdOn,
    Updated: phone.updatedOn,
  });
}
