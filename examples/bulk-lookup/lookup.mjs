// Looks up the numbers of a file, one a line, a thousand at a time, and prints CSV: node lookup.mjs numbers.txt
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createClient } from "@tandem/sdk";

const { TANDEM_URL, TANDEM_ACCOUNT_SID, TANDEM_TOKEN } = process.env;
const tandem = createClient({ baseUrl: TANDEM_URL, accountSid: TANDEM_ACCOUNT_SID, token: TANDEM_TOKEN });
const [file] = process.argv.slice(2);
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

async function lookUp(numbers) {
  const { data } = await tandem.lookup.numbers(numbers);
  for (const { number, type = "", status = "", carrierName, error } of data.items)
    console.log([number, type, status, error ?? carrierName ?? ""].map(quoted).join());
}

console.log("number,type,status,carrierOrError");
const batch = [];
const input = file === undefined ? process.stdin : createReadStream(file);
for await (const line of createInterface({ input })) {
  if (line.trim() !== "") batch.push(line.trim());
  if (batch.length === 1000) await lookUp(batch.splice(0));
}
if (batch.length > 0) await lookUp(batch);
