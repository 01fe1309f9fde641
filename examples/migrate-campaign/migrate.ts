// Moves an active 10DLC campaign and its number to Tandem by rules 1 to 6 and prints what traffic does meanwhile.
import { createClient, type Phone, TandemError } from "@tandem/sdk";

const { TANDEM_URL: baseUrl = "", TANDEM_ACCOUNT_SID: accountSid = "", TANDEM_TOKEN: token = "" } = process.env;
const [id = "CSHOP01", number = "+13035570100"] = process.argv.slice(2);
const tandem = createClient({ baseUrl, accountSid, token });
const friend = "+14155550100";

async function until<Item>(look: () => Promise<{ data: Item }>, isWanted: (item: Item) => boolean): Promise<Item> {
  for (;;) {
    const { data } = await look();
    if (isWanted(data)) return data;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
const send = (more = {}) => tandem.messages.send({ from: number, to: friend, text: "Hello", ...more });
const refusal = (error: TandemError) => error;
const delivered = (sid: string) =>
  until(
    () => tandem.messages.get(sid),
    ({ status }) => status === "Delivered",
  );
const becomes = (wanted: Phone["status"]) =>
  until(
    () => tandem.phones.get(number),
    ({ status }) => status === wanted,
  );

async function tell(step: string): Promise<void> {
  const inbound = await tandem.sandbox.receiveMessage({ from: friend, to: [number], text: "Hi" }).catch(refusal);
  const outbound = await send().catch(refusal);
  if (!(outbound instanceof TandemError)) await delivered(outbound.data.sid);
  const way = (answer: object) => (answer instanceof TandemError ? `not here (${answer.message})` : "via the service");
  console.log(`${step} | ${way(inbound)} | ${way(outbound)}`);
}

// 1. A MessagingConfig first, with the campaign's id anywhere in its name.
const { data: config } = await tandem.messagingConfigs.create({ name: `Shop ${id}` });
// 2. The port-in request, with that config and a letter of authorization.
const port = {
  messagingConfigSid: config.sid,
  phones: [{ number }],
  accountNumber: "A-123",
  subscriber: { type: "Business", name: "Shop Inc.", authorizedPerson: "Ann Smith" },
  serviceAddress: { street: "1 Main St", city: "Denver", state: "CO", postalCode: "80202", country: "US" },
} as const;
const { data: letter } = await tandem.portIn.letter(port);
await tandem.portIn.submit(port, [{ name: "letter.pdf", bytes: letter }]);
await tell("Port-in submitted");
const { data: held } = await send({ holdUntilActive: true });
await becomes("PendingTcrCampaignAdd");
await tell("Port completed");
// 3. Choose our upstream CNP id for the campaign in the registry: in the sandbox, this call does it.
await tandem.sandbox.migrateCampaign({ tcrCampaignId: id });
// 4. and 5. The campaign appears (TcrCampaignImported) and is linked to the only config that names it.
// 6. Both associations exist: the number becomes Active.
await becomes("Active");
await tell("Campaign migrated and attached");
await delivered(held.sid);
const { data: migration } = await tandem.migrations.get(id);
const way = migration.numbers[0]?.timeline.map(({ status }) => status).join(", ");
console.log(`${id} is ${migration.status}: ${way}. What was held meanwhile is delivered.`);
